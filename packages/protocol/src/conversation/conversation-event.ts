// What is said in a session, between the calls: turns, a model's replies, what the model is shown besides, and what was summed up.
import * as z from 'zod/mini';
import { Actor } from '../call.ts';
import { ErrorCode } from '../errors.ts';
import { lazily } from '../input.ts';
import { ImagePart } from './image.ts';
import { MessageId, messageEvents, turnFields } from './message-event.ts';
import { Reply } from './reply.ts';

/**
 * `cost_limit`: the turn reached its cost limit; `cut_off`: the reply never ended; `refused`: by the model or its provider's filter; `empty`: the
 * model said nothing; `loop_detected`: the model repeated the same calls, and a human should say how to continue. `unanswered` is never recorded:
 * nobody decided in the configured time, and the turn stays open until the approval is asked again.
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
      /** Who sent the message; a sub-agent's turn and older logs have none. */
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
      /** What failed, and in a word why, when a turn did. */
      code: z.optional(ErrorCode()),
      reason: z.optional(z.string()),
      /** Who cancelled the turn. */
      by: z.optional(Actor()),
    }),
  ] as const;

const contextEvents = () =>
  [
    z.strictObject({
      type: z.literal('context.changed'),
      op: z.enum(['add_file', 'remove_file', 'clear']),
      path: z.optional(z.string()),
      /** For a file that is added: its unsaved text in an editor. */
      content: z.optional(z.string()),
    }),
    z.strictObject({
      type: z.literal('context.compacted'),
      ...turnFields(),
      /** Up to this entry results are cut short; with a summary, it stands for all of it. */
      through: z.int(),
      summary: z.optional(z.string()),
      /** Without a summary: every text of users and tools is cut to so many characters. */
      most: z.optional(z.int()),
      /** Without either: so many characters stay of each result; 1,000 in older logs. */
      results: z.optional(z.int()),
      by: z.enum(['model', 'rules']),
    }),
  ] as const;
