// What a verdict is made of, one below the other; what stands inside another part is set in.
import { type RuleEffect, visibleLine } from '@codelab/protocol';
import type { Paint } from './paint.ts';
import { verdictStyle } from './verdict-style.ts';

type Part = { text: string; verdict: RuleEffect; reason: string; depth: number };

const maxChars = 200;

export function partTree(parts: readonly Part[], paint: Paint): string[] {
  return parts.flatMap(({ text, verdict, reason, depth }) => {
    const indent = '  '.repeat(depth + 1);
    const shown = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
    return [
      `${indent}${paint(verdictStyle[verdict], verdict.padEnd(5))} ${visibleLine(shown)}`,
      `${indent}      ${paint('dim', visibleLine(reason))}`,
    ];
  });
}
