// The colour of a verdict, wherever one is shown.
import type { RuleEffect } from '@codelab/protocol';
import type { Style } from './paint.ts';

export const verdictStyle: Record<RuleEffect, Style> = {
  allow: ['bold', 'green'],
  ask: ['bold', 'yellow'],
  deny: ['bold', 'red'],
};
