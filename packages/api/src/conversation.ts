// Taking part in a session: saying something, calling tools oneself, what the model is shown, and ending what goes on.
import { isCallId, Outcome } from '@codelab/protocol';
import * as z from 'zod/mini';
import { route } from './route.ts';
import { filePath, json, lazily, name } from './shared.ts';

const base = '/api/v1/sessions/{id}';

const Accepted = lazily(() => z.strictObject({ session_id: z.string() }));

const PinnedFile = lazily(() =>
  z.strictObject({
    path: z.string(),
    bytes: z.number(),
    tokens: z.number(),
    /** The model is shown the text of an editor that is not saved yet. */
    is_unsaved: z.optional(z.boolean()),
  }),
);
export type PinnedFile = z.infer<ReturnType<typeof PinnedFile>>;

const Context = lazily(() =>
  z.strictObject({
    files: z.array(PinnedFile()),
    used_tokens: z.number(),
    /** Null when there is no model to ask, for want of a key. */
    window_tokens: z.nullable(z.number()),
  }),
);
export type Context = z.infer<ReturnType<typeof Context>>;

const Todo = lazily(() =>
  z.strictObject({
    id: z.string(),
    content: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
    priority: z.enum(['high', 'medium', 'low']),
  }),
);

export const conversationRoutes = {
  say: route({
    id: 'sendMessage',
    method: 'POST',
    path: `${base}/messages`,
    summary: 'Says something: begins a turn',
    body: () =>
      z.strictObject({
        content: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
        agent_type: z.optional(name()),
        model: z.optional(name()),
      }),
    status: 202,
    answer: Accepted,
  }),
  cancel: route({
    id: 'cancelTurn',
    method: 'POST',
    path: `${base}/cancel`,
    summary: 'Ends the turn, and calls that were made here',
    status: 202,
    answer: Accepted,
  }),
  call: route({
    id: 'callTool',
    method: 'POST',
    path: `${base}/calls`,
    summary: 'Calls a tool, and answers with its outcome',
    body: () =>
      z.strictObject({
        tool: name(),
        args: z._default(json(), {}),
        call_id: z.optional(z.string().check(z.refine(isCallId, 'must be 1 to 200 printable characters'))),
        /** The person at the screen does it themselves: nobody is asked, a rule that denies it holds. */
        approve: z._default(z.boolean(), false),
      }),
    answer: lazily(() => z.strictObject({ outcome: Outcome() })),
  }),
  context: route({
    id: 'getContext',
    method: 'GET',
    path: `${base}/context`,
    summary: 'What the model is shown at every turn, and how full it is',
    answer: Context,
  }),
  changeContext: route({
    id: 'changeContext',
    method: 'POST',
    path: `${base}/context`,
    summary: 'Pins a file, unpins one or all',
    body: () =>
      z.strictObject({
        action: z.enum(['add_file', 'remove_file', 'clear']),
        path: z.optional(filePath()),
        /** Of a file that is added: its text in an editor, not saved yet. Model and tools read it until the file is removed or added again. */
        content: z.optional(z.string()),
      }),
    answer: Context,
  }),
  todos: route({
    id: 'getTodos',
    method: 'GET',
    path: `${base}/todos`,
    summary: 'The list of things to do',
    answer: lazily(() => z.strictObject({ todos: z.array(Todo()) })),
  }),
};
