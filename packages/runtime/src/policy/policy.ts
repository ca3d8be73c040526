// What judges a plan: the mode, and all rules in force, each with the layer it comes from.
import type { RuleLayer } from '@codelab/protocol';
import type { CompiledRule } from './match-rule.ts';

export type PolicyMode = 'strict' | 'balanced' | 'trusted';
/** `isKept`: in our own file of rules, so that it can be taken out again. */
export type LayeredRule = CompiledRule & { layer: RuleLayer; isKept?: boolean };
export type Policy = { mode: PolicyMode; rules: readonly LayeredRule[] };
