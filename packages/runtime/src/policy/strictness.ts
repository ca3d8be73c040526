// Of several answers the one with the highest number holds.
import type { RuleEffect } from '@codelab/protocol';

export const strictness: Record<RuleEffect, number> = { allow: 0, ask: 1, deny: 2 };
