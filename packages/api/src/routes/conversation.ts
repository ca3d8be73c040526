// Taking part in a session: sending messages, calling tools, what the model is shown, and cancelling.
import { Delivery, imageLimits, isCallId, MessageId, Outcome } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { filePath, jsonObject, lazily, name, time } from '../shared.ts';

const base = '/api/v1/sessions/{id}';

const Accepted = lazily(() => z.strictObject({ session_id: z.string() }));

const Sent = lazily(() =>
  z.strictObject({
    session_id: z.string(),
    /** The id of the message, when it was queued. */
    queued: z.optional(z.string()),
  }),
);

const QueueEntry = lazily(() =>
  z.strictObject({
    id: z.string(),
    content: z.string(),
    delivery: Delivery(),
    images: z.number(),
    by: z.string(),
    queued_at: time(),
  }),
);
export type QueueEntry = z.infer<ReturnType<typeof QueueEntry>>;

const Queue = lazily(() => z.strictObject({ messages: z.array(QueueEntry()) }));

const PinnedFile = lazily(() =>
  z.strictObject({
    path: z.string(),
    bytes: z.number(),
    tokens: z.number(),
    /** The model is shown the unsaved text of an editor. */
    is_unsaved: z.optional(z.boolean()),
  }),
);
export type PinnedFile = z.infer<ReturnType<typeof PinnedFile>>;

const ContextUse = lazily(() =>
  z.strictObject({
    files: z.array(PinnedFile()),
    used_tokens: z.number(),
    /** Null when no model can be asked because a key is missing. */
    window_tokens: z.nullable(z.number()),
    /** The git branch that is checked out; null without one. */
    branch: z.nullable(z.string()),
  }),
);
export type ContextUse = z.infer<ReturnType<typeof ContextUse>>;

const Todo = lazily(() =>
  z.strictObject({
    id: z.string(),
    content: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
    priority: z.enum(['high', 'medium', 'low']),
  }),
);

export const conversationRoutes = {
  say: defineRoute({
    id: 'sendMessage',
    method: 'POST',
    path: `${base}/messages`,
    summary: 'Sends a message: starts a turn; with `delivery`, is queued while one runs',
    body: () =>
      z.strictObject({
        content: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
        agent_type: z.optional(name()),
        model: z.optional(name()),
        /** PNG, JPEG, GIF or WebP as base64, shown to the model with the text. */
        images: z.optional(
          z
            .array(z.strictObject({ data: z.string(), name: z.optional(name()) }))
            .check(z.maxLength(imageLimits.count)),
        ),
        /**
         * A person is at the session: approvals wait until they are decided, unless the configuration limits the time. Always true for
         * pages.
         */
        attended: z.optional(z.boolean()),
        /** Chosen by the sender: a message that is sent again counts once. */
        message_id: z.optional(MessageId()),
        /**
         * While a turn runs, queues the message: read at the next `step`, or sent when the `turn` has ended. Without it, the message is
         * refused then.
         */
        delivery: z.optional(Delivery()),
      }),
    status: 202,
    answer: Sent,
  }),
  continue: defineRoute({
    id: 'continueTurn',
    method: 'POST',
    path: `${base}/continue`,
    summary:
      'Starts a turn without a message: continues after a limit, or asks the model again after an error',
    body: () => z.strictObject({ model: z.optional(name()), attended: z.optional(z.boolean()) }),
    isBodyOptional: true,
    status: 202,
    answer: Accepted,
  }),
  compact: defineRoute({
    id: 'compactConversation',
    method: 'POST',
    path: `${base}/compact`,
    summary: 'Summarizes the older part of the conversation for the model; the log keeps everything',
    answer: lazily(() => z.strictObject({ session_id: z.string(), compacted: z.boolean() })),
  }),
  queue: defineRoute({
    id: 'listQueuedMessages',
    method: 'GET',
    path: `${base}/queue`,
    summary: 'Queued messages that were sent while the agent works',
    answer: Queue,
  }),
  changeQueued: defineRoute({
    id: 'changeQueuedMessage',
    method: 'PATCH',
    path: `${base}/queue/{message}`,
    summary: 'Changes the text or the delivery of a queued message',
    body: () =>
      z.strictObject({
        content: z.optional(z.string().check(z.minLength(1), z.maxLength(1_000_000))),
        delivery: z.optional(Delivery()),
      }),
    answer: Queue,
  }),
  removeQueued: defineRoute({
    id: 'removeQueuedMessage',
    method: 'DELETE',
    path: `${base}/queue/{message}`,
    summary: 'Removes a queued message',
    answer: Queue,
  }),
  cancel: defineRoute({
    id: 'cancelTurn',
    method: 'POST',
    path: `${base}/cancel`,
    summary: 'Cancels the turn, and calls that were made here',
    status: 202,
    answer: Accepted,
  }),
  resume: defineRoute({
    id: 'resumeTurn',
    method: 'POST',
    path: `${base}/resume`,
    summary:
      'Resumes a turn that was interrupted or whose approval expired; otherwise sends the next queued message',
    status: 202,
    answer: Accepted,
  }),
  call: defineRoute({
    id: 'callTool',
    method: 'POST',
    path: `${base}/calls`,
    summary: 'Calls a tool and returns its outcome',
    body: () =>
      z.strictObject({
        tool: name(),
        args: z._default(jsonObject(), {}),
        call_id: z.optional(z.string().check(z.refine(isCallId, 'must be 1 to 200 printable characters'))),
        /** The person at the screen makes the call themselves: no approval is needed, but a deny rule applies. */
        approve: z._default(z.boolean(), false),
        /** The model gets the call with its next turn, or after the running one. */
        tell: z._default(z.boolean(), false),
      }),
    answer: lazily(() => z.strictObject({ outcome: Outcome() })),
  }),
  context: defineRoute({
    id: 'getContext',
    method: 'GET',
    path: `${base}/context`,
    summary: 'The files that the model gets at every turn, and how full its context is',
    answer: ContextUse,
  }),
  changeContext: defineRoute({
    id: 'changeContext',
    method: 'POST',
    path: `${base}/context`,
    summary: 'Pins a file, unpins one or all',
    body: () =>
      z.strictObject({
        action: z.enum(['add_file', 'remove_file', 'clear']),
        path: z.optional(filePath()),
        /** For an added file: its unsaved text in an editor. Model and tools read this text until the file is removed or added again. */
        content: z.optional(z.string()),
      }),
    answer: ContextUse,
  }),
  todos: defineRoute({
    id: 'getTodos',
    method: 'GET',
    path: `${base}/todos`,
    summary: 'The todo list',
    answer: lazily(() => z.strictObject({ todos: z.array(Todo()) })),
  }),
};
