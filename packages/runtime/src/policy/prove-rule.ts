// Proves a rule against its own examples, without keeping it; one that does not hold is refused.
import type { Rule } from '@codelab/protocol';
import { compileRule } from './match-rule.ts';

export function proveRule(rule: Rule): void {
  compileRule(rule);
}
