// Messages sent while the agent works, as the log records them: queued, changed, removed, and delivered to the model within a turn.
import * as z from 'zod/mini';
import { Actor, CallId } from '../call.ts';
import { lazily } from '../input.ts';
import { ImagePart } from './image.ts';

/** `step`: the model reads the message before its next step. `turn`: the message starts its own turn after the running one. */
export const Delivery = lazily(() => z.enum(['step', 'turn']));
export type Delivery = z.infer<ReturnType<typeof Delivery>>;

/** Chosen by the sender, so that a message sent twice is accepted once. */
export const MessageId = lazily(() => z.string().check(z.regex(/^[\w.:-]{1,128}$/)));

/** `agent` is the call that started the sub-agent; the session's own agent has none. */
export const turnFields = lazily(() => ({ turn: z.int().check(z.positive()), agent: z.optional(CallId()) }));

export const messageEvents = lazily(
  () =>
    [
      /** A message sent during a turn and not yet delivered to the model. */
      z.strictObject({
        type: z.literal('message.queued'),
        id: MessageId(),
        text: z.string(),
        images: z.optional(z.array(ImagePart())),
        delivery: Delivery(),
        /** The model of the turn that the message becomes, and of no other. */
        model: z.optional(z.string()),
        by: Actor(),
        attended: z.optional(z.literal(true)),
      }),
      z.strictObject({
        type: z.literal('message.changed'),
        id: MessageId(),
        text: z.optional(z.string()),
        delivery: z.optional(Delivery()),
        by: Actor(),
      }),
      z.strictObject({ type: z.literal('message.removed'), id: MessageId(), by: Actor() }),
      /** A queued message, delivered to the model within a turn. */
      z.strictObject({
        type: z.literal('turn.steered'),
        ...turnFields(),
        message: MessageId(),
        text: z.string(),
        files: z.optional(z.array(z.strictObject({ path: z.string(), text: z.string() }))),
        images: z.optional(z.array(ImagePart())),
        by: Actor(),
      }),
    ] as const,
);
