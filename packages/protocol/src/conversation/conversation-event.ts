// The conversation of a session, between the calls: turns, replies, files shown to the model, and compaction.
import * as z from 'zod/mini';
import { Actor } from '../call.ts';
import { ErrorCode } from '../errors.ts';
import { lazily } from '../input.ts';
import { ImagePart } from './image.ts';
import { MessageId, messageEvents, turnFields } from './message-event.ts';
import { Reply } from './reply.ts';

/**
 * `cost_limit`: the turn reached its cost limit; `cut_off`: the reply never ended; `refused`: by the model or its provider's filter;
 * `empty`: the model returned no text; `loop_detected`: the model repeated the same calls, and a human should say how to continue.
 * `unanswered` is never recorded: an approval expired undecided, and the turn stays open until it is asked again.
 */
export const TurnEnd = lazily(() =>
  z.enum([
    ...(['completed', 'cancelled', 'failed', 'step_limit', 'cost_limit'] as const),
    ...(['cut_off', 'refused', 'empty', 'loop_detected', 'unanswered'] as const),
  ]),
);
export type TurnEnd = z.infer<ReturnType<typeof TurnEnd>>;

export const conversationEvents = lazily(
  () =>
    [
      z.strictObject({ type: z.literal('session.titled'), title: z.string() }),
      ...turnEvents(),
      ...contextEvents(),
      ...messageEvents(),
    ] as const,
);

const turnEvents = () =>
  [
    z.strictObject({
      type: z.literal('turn.started'),
      ...turnFields(),
      text: z.string(),
      /** The files named in the text, with their content at that time. */
      files: z.optional(z.array(z.strictObject({ path: z.string(), text: z.string() }))),
      images: z.optional(z.array(ImagePart())),
      /** The id that the sender gave the message, or its id in the queue. */
      message: z.optional(MessageId()),
      /** No message was sent: the model continues where the previous turn stopped, or is asked again. */
      again: z.optional(z.literal(true)),
      model: z.string(),
      profile: z.string(),
      /** The sender of the message; a sub-agent's turn and older logs have none. */
      by: z.optional(Actor()),
      /** A person is at the session, so approvals wait for them. */
      attended: z.optional(z.literal(true)),
    }),
    z.strictObject({ type: z.literal('model.replied'), ...turnFields(), reply: Reply() }),
    z.strictObject({
      type: z.literal('turn.ended'),
      ...turnFields(),
      end: TurnEnd(),
      /** Why the turn did not complete. */
      message: z.optional(z.string()),
      /** The error code and its short reason, when the turn failed. */
      code: z.optional(ErrorCode()),
      reason: z.optional(z.string()),
      /** The person who cancelled the turn. */
      by: z.optional(Actor()),
    }),
  ] as const;

const contextEvents = () =>
  [
    z.strictObject({
      type: z.literal('context.changed'),
      op: z.enum(['add_file', 'remove_file', 'clear']),
      path: z.optional(z.string()),
      /** For an added file: its unsaved text in an editor. */
      content: z.optional(z.string()),
    }),
    z.strictObject({
      type: z.literal('context.compacted'),
      ...turnFields(),
      /** Results up to this entry are cut; a summary replaces everything up to it. */
      through: z.int(),
      summary: z.optional(z.string()),
      /** Without a summary: every text of users and tools is cut to this many characters. */
      most: z.optional(z.int()),
      /** Without either: each result keeps this many characters; 1,000 in older logs. */
      results: z.optional(z.int()),
      by: z.enum(['model', 'rules']),
    }),
  ] as const;
