// What a model answered: text and the calls it wants, as the log keeps it.
import * as z from 'zod/mini';
import { CallId } from '../call.ts';
import { lazily } from '../schema.ts';

/** A call the model wrote. One that can't be read has a `problem` instead of arguments; the model is told of it. */
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
    /** Of the input, what the provider had kept from before. */
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
     * Why it stopped: it had said all, it wants calls (with none among them: they were announced and did not arrive), it ran out of room, it refused or was filtered, it wants to be sent back as it
     * is (`paused`), or the connection or the user ended it (`interrupted`: the text is what had come).
     */
    stop: z.enum(['end', 'calls', 'length', 'refused', 'paused', 'interrupted']),
  }),
);
export type Reply = z.infer<ReturnType<typeof Reply>>;

/** How much a model reasons, from the least on. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof efforts)[number];
