// What a rule, and so policy, can say: it may run, a human is asked, or never; and the modes that decide where no rule speaks.
import * as z from 'zod/mini';
import { lazily } from './schema.ts';

export const RuleEffect = lazily(() => z.enum(['allow', 'ask', 'deny']));
export type RuleEffect = z.infer<ReturnType<typeof RuleEffect>>;

/** How much runs unasked where no rule speaks, from the strictest on. */
export const policyModes = ['strict', 'balanced', 'review', 'trusted'] as const;
export type PolicyMode = (typeof policyModes)[number];
