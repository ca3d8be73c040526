// The reply of a model as the log stores it: text and the requested calls.
import * as z from 'zod/mini';
import { CallId } from '../call.ts';
import { lazily } from '../input.ts';

/** A call that the model wrote. An unreadable call has a `problem` instead of arguments, which the model gets as its result. */
export const WantedCall = lazily(() =>
  z.strictObject({
    id: CallId(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    problem: z.optional(z.string()),
  }),
);
export type WantedCall = z.infer<ReturnType<typeof WantedCall>>;

export const Usage = lazily(() =>
  z.strictObject({
    inputTokens: z.int(),
    outputTokens: z.int(),
    /** Input tokens that the provider had cached. */
    cachedTokens: z.optional(z.int()),
    /** In US dollars, where the price is known. */
    cost: z.optional(z.number()),
  }),
);
export type Usage = z.infer<ReturnType<typeof Usage>>;

export const Reply = lazily(() =>
  z.strictObject({
    model: z.string(),
    text: z.string(),
    reasoning: z.optional(z.string()),
    /** Data that a provider requires back unchanged with the next request, such as signed reasoning. */
    opaque: z.optional(z.unknown()),
    calls: z.array(WantedCall()),
    usage: Usage(),
    /**
     * Why the reply stopped: `end`: complete; `calls`: it requests calls (an empty list means they were announced and did not arrive);
     * `length`: out of tokens; `refused`: by the model or a filter; `paused`: to be sent back unchanged; `interrupted`: the connection or
     * the user ended it, and the text is incomplete.
     */
    stop: z.enum(['end', 'calls', 'length', 'refused', 'paused', 'interrupted']),
  }),
);
export type Reply = z.infer<ReturnType<typeof Reply>>;

/** How much a model reasons, least first. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];
