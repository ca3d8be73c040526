// The reply of a model as the log keeps it: text and the calls it wants.
import * as z from 'zod/mini';
import { CallId } from '../call.ts';
import { lazily } from '../input.ts';

/** A call the model wrote. A call that can't be read has a `problem` instead of arguments, and the model is told of it. */
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
    /** What a provider wants back unchanged with the next request, such as signed reasoning. */
    opaque: z.optional(z.unknown()),
    calls: z.array(WantedCall()),
    usage: Usage(),
    /**
     * Why the reply stopped: `end`: complete; `calls`: it wants calls (with none in the list: they were announced and did not arrive); `length`: out
     * of room; `refused`: by the model or a filter; `paused`: to be sent back unchanged; `interrupted`: the connection or the user ended it, and the
     * text is what had arrived.
     */
    stop: z.enum(['end', 'calls', 'length', 'refused', 'paused', 'interrupted']),
  }),
);
export type Reply = z.infer<ReturnType<typeof Reply>>;

/** How much a model reasons, from the least on. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];
