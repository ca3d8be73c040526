// Sessions: finding, creating, naming, forking and deleting them, and reading their logs.
import { AgentStatus, Failure, SessionEvent } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { jsonObject, lazily, name, policyMode, time, wholeNumber } from '../shared.ts';

const base = '/api/v1/sessions';

const SessionWorktree = lazily(() =>
  z.strictObject({
    path: z.string(),
    /** The branch that the worktree was made with. */
    branch: z.string(),
    /** `missing`: the folder is gone without having been dropped. */
    state: z.enum(['present', 'dropped', 'missing']),
    /** The branch that the worktree was last merged into. */
    merged_into: z.nullable(z.string()),
  }),
);

export const Session = lazily(() =>
  z.strictObject({
    id: z.string(),
    /** The same as `id`. */
    session_id: z.string(),
    title: z.string(),
    created_at: z.nullable(time()),
    updated_at: z.nullable(time()),
    last_seq: z.number(),
    turns: z.number(),
    pending_approvals: z.number(),
    status: AgentStatus(),
    agent_type: z.string(),
    // Older gateways do not send the following fields.
    /** `interrupted`: the turn was cut off and continues when the session is opened. `failed`: the latest turn failed. */
    state: z._default(z.enum(['idle', 'running', 'waiting', 'failed', 'interrupted']), 'idle'),
    pinned: z._default(z.boolean(), false),
    archived: z._default(z.boolean(), false),
    /** The number of queued messages. */
    queued: z._default(z.number(), 0),
    /** The session this one was forked from: it begins with that session's entries up to `seq`. */
    forked_from: z._default(z.nullable(z.strictObject({ session_id: z.string(), seq: z.number() })), null),
    /** How much runs unasked in the session. */
    mode: z.optional(policyMode()),
    /** The git worktree of the session; null where it works in the workspace itself. */
    worktree: z._default(z.nullable(SessionWorktree()), null),
  }),
);
export type Session = z.infer<ReturnType<typeof Session>>;

const SessionChange = () =>
  z.strictObject({
    title: z.optional(name()),
    agent_type: z.optional(name()),
    mode: z.optional(policyMode()),
    pinned: z.optional(z.boolean()),
    archived: z.optional(z.boolean()),
  });
export type SessionChange = z.infer<ReturnType<typeof SessionChange>>;

const NewSession = () =>
  z.extend(SessionChange(), {
    /** Makes a git worktree for the session, on the new branch `codelab/NAME`; without a name, after the title. */
    worktree: z.optional(z.strictObject({ name: z.optional(name()) })),
  });

const HistoryMessage = lazily(() => {
  const at = { seq: z.number(), timestamp: z.nullable(time()) };
  const call = z.strictObject({ call_id: z.string(), tool_name: z.string(), arguments: jsonObject() });
  return z.union([
    z.strictObject({ role: z.literal('user'), content: z.string(), agent_type: z.string(), ...at }),
    z.strictObject({
      role: z.literal('assistant'),
      content: z.string(),
      tool_calls: z.optional(z.array(call)),
      ...at,
    }),
    z.strictObject({
      role: z.literal('tool'),
      call_id: z.string(),
      tool_name: z.string(),
      status: z.string(),
      result: z.optional(jsonObject()),
      error: z.optional(Failure()),
      ...at,
    }),
  ]);
});
export type HistoryMessage = z.infer<ReturnType<typeof HistoryMessage>>;

const SearchHit = lazily(() =>
  z.strictObject({
    session_id: z.string(),
    title: z.string(),
    seq: z.number(),
    time: time(),
    role: z.enum(['user', 'assistant', 'title']),
    /** The text around the first match, in one line. */
    excerpt: z.string(),
  }),
);
export type SearchHit = z.infer<ReturnType<typeof SearchHit>>;

export const sessionRoutes = {
  list: defineRoute({
    id: 'listSessions',
    method: 'GET',
    path: base,
    summary: 'Your sessions, pinned ones first, then the latest; `query` looks in titles',
    query: () =>
      z.object({
        limit: z._default(wholeNumber(200), 50),
        offset: z._default(wholeNumber(1_000_000), 0),
        query: z.optional(z.string().check(z.maxLength(200))),
        /** Archived sessions are left out, listed alone, or listed with the others. */
        archived: z._default(z.enum(['exclude', 'only', 'include']), 'exclude'),
      }),
    answer: lazily(() => z.strictObject({ sessions: z.array(Session()), total: z.number() })),
  }),
  create: defineRoute({
    id: 'createSession',
    method: 'POST',
    path: base,
    summary: 'Creates a session; with `worktree`, in a new git worktree',
    body: NewSession,
    isBodyOptional: true,
    status: 201,
    answer: Session,
  }),
  get: defineRoute({
    id: 'getSession',
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'One session',
    answer: Session,
  }),
  update: defineRoute({
    id: 'updateSession',
    method: 'PATCH',
    path: `${base}/{id}`,
    summary: 'Names, pins or archives a session, or changes its mode or the role of its next turn',
    body: SessionChange,
    answer: Session,
  }),
  delete: defineRoute({
    id: 'deleteSession',
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: 'Deletes a session',
    status: 204,
  }),
  fork: defineRoute({
    id: 'forkSession',
    method: 'POST',
    path: `${base}/{id}/fork`,
    summary:
      'A new session that starts with this one, up to the end of the turn of `seq`, or up to the turn of `before`',
    body: () =>
      z.strictObject({
        seq: z.optional(z.int().check(z.positive())),
        before: z.optional(z.int().check(z.positive())),
      }),
    isBodyOptional: true,
    status: 201,
    answer: Session,
  }),
  branches: defineRoute({
    id: 'listBranches',
    method: 'GET',
    path: `${base}/{id}/branches`,
    summary: 'The branches of this session, including itself, oldest first',
    answer: lazily(() => z.strictObject({ branches: z.array(Session()) })),
  }),
  search: defineRoute({
    id: 'searchSessions',
    method: 'GET',
    path: '/api/v1/search/sessions',
    summary: 'Messages in your sessions that contain all the words, latest session first',
    query: () =>
      z.object({
        query: z.string().check(z.minLength(1), z.maxLength(200)),
        limit: z._default(wholeNumber(200), 50),
      }),
    answer: lazily(() => z.strictObject({ hits: z.array(SearchHit()), complete: z.boolean() })),
  }),
  history: defineRoute({
    id: 'getSessionHistory',
    method: 'GET',
    path: `${base}/{id}/history`,
    summary: 'The conversation and its calls, as messages',
    answer: lazily(() =>
      z.strictObject({
        session_id: z.string(),
        messages: z.array(HistoryMessage()),
        last_seq: z.number(),
      }),
    ),
  }),
  log: defineRoute({
    id: 'getSessionLog',
    method: 'GET',
    path: `${base}/{id}/log`,
    summary: 'Entries of the log after `since`; fewer than `limit` when they are long',
    query: () =>
      z.object({
        since: z._default(wholeNumber(Number.MAX_SAFE_INTEGER), 0),
        limit: z._default(wholeNumber(5000), 2000),
      }),
    answer: lazily(() => z.strictObject({ events: z.array(SessionEvent()), last_seq: z.number() })),
  }),
  events: defineRoute({
    id: 'streamSessionEvents',
    method: 'GET',
    path: `${base}/{id}/events`,
    summary: 'The log and live events; `since` or Last-Event-ID replays missed events',
    query: () => z.object({ since: z.optional(wholeNumber(Number.MAX_SAFE_INTEGER)) }),
    media: ['text/event-stream'],
    isStream: true,
  }),
};
