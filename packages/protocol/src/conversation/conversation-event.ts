// What is said in a session, between the calls: turns, a model's replies, what the model is shown besides, and what was summed up.
import * as z from 'zod/mini';
import { Actor } from '../call.ts';
import { ErrorCode } from '../errors.ts';
import { lazily } from '../schema.ts';
import { ImagePart } from './image.ts';
import { MessageId, messageEvents, said } from './message-event.ts';
import { Reply } from './reply.ts';

/**
 * `cost_limit`: it cost as much as it may; `cut_off`: the reply never came to its end; `refused`: by the model or its provider's filter;
 * `empty`: it said nothing; `loop_detected`: it made the same calls over and over, and a human should say how to go on. `unanswered` is never
 * recorded: nobody decided in the configured time, and the turn stays open until the question is put again.
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
      ...said(),
      text: z.string(),
      /** Files named in the text, as they were then. */
      files: z.optional(z.array(z.strictObject({ path: z.string(), text: z.string() }))),
      images: z.optional(z.array(ImagePart())),
      /** The id that its sender gave the message, or that it had in the queue. */
      message: z.optional(MessageId()),
      /** Nothing was said: the model goes on where the turn before stopped, or is asked again. */
      again: z.optional(z.literal(true)),
      model: z.string(),
      profile: z.string(),
      /** Who said it; a sub-agent's turn and older logs have none. */
      by: z.optional(Actor()),
      /** A person is at the session, so that what is asked waits for them. */
      attended: z.optional(z.literal(true)),
    }),
    z.strictObject({ type: z.literal('model.replied'), ...said(), reply: Reply() }),
    z.strictObject({
      type: z.literal('turn.ended'),
      ...said(),
      end: TurnEnd(),
      /** Why, when it did not complete. */
      message: z.optional(z.string()),
      /** What failed, and in a word why, when a turn did. */
      code: z.optional(ErrorCode()),
      reason: z.optional(z.string()),
      /** Who cancelled it. */
      by: z.optional(Actor()),
    }),
  ] as const;

const contextEvents = () =>
  [
    z.strictObject({
      type: z.literal('context.changed'),
      op: z.enum(['add_file', 'remove_file', 'clear']),
      path: z.optional(z.string()),
      /** Of a file that is added: its text in an editor, not saved yet. */
      content: z.optional(z.string()),
    }),
    z.strictObject({
      type: z.literal('context.compacted'),
      ...said(),
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
