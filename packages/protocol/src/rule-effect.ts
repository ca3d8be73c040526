// What a rule, and so policy, can say: it may run, a human is asked, or never.
import * as z from 'zod/mini';
import { lazily } from './schema.ts';

export const RuleEffect = lazily(() => z.enum(['allow', 'ask', 'deny']));
export type RuleEffect = z.infer<ReturnType<typeof RuleEffect>>;
