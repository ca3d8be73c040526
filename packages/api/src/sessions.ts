// Sessions: finding, making, naming, forking and deleting them, and what is in their logs.
import { AgentStatus, Failure, SessionEvent } from '@codelab/protocol';
import * as z from 'zod/mini';
import { route } from './route.ts';
import { count, json, lazily, name, time } from './shared.ts';

const base = '/api/v1/sessions';

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
  }),
);
export type Session = z.infer<ReturnType<typeof Session>>;

const SessionChange = () => z.strictObject({ title: z.optional(name()), agent_type: z.optional(name()) });

const HistoryMessage = lazily(() => {
  const at = { seq: z.number(), timestamp: z.nullable(time()) };
  const call = z.strictObject({ call_id: z.string(), tool_name: z.string(), arguments: json() });
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
      result: z.optional(json()),
      error: z.optional(Failure()),
      ...at,
    }),
  ]);
});
export type HistoryMessage = z.infer<ReturnType<typeof HistoryMessage>>;

export const sessionRoutes = {
  list: route({
    id: 'listSessions',
    method: 'GET',
    path: base,
    summary: 'Your sessions, the latest first; `query` looks in titles',
    query: () =>
      z.object({
        limit: z._default(count(200), 50),
        offset: z._default(count(1_000_000), 0),
        query: z.optional(z.string().check(z.maxLength(200))),
      }),
    answer: lazily(() => z.strictObject({ sessions: z.array(Session()), total: z.number() })),
  }),
  create: route({
    id: 'createSession',
    method: 'POST',
    path: base,
    summary: 'Makes a session',
    body: SessionChange,
    isBodyOptional: true,
    status: 201,
    answer: Session,
  }),
  get: route({
    id: 'getSession',
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'One session',
    answer: Session,
  }),
  update: route({
    id: 'updateSession',
    method: 'PATCH',
    path: `${base}/{id}`,
    summary: 'Names a session, or changes the role of its next turn',
    body: SessionChange,
    answer: Session,
  }),
  delete: route({
    id: 'deleteSession',
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: 'Deletes a session',
    status: 204,
  }),
  fork: route({
    id: 'forkSession',
    method: 'POST',
    path: `${base}/{id}/fork`,
    summary: 'A new session that begins with this one, up to the turn of `seq`',
    body: () => z.strictObject({ seq: z.optional(z.int().check(z.positive())) }),
    isBodyOptional: true,
    status: 201,
    answer: Session,
  }),
  history: route({
    id: 'getSessionHistory',
    method: 'GET',
    path: `${base}/{id}/history`,
    summary: 'What was said and done, as messages',
    answer: lazily(() =>
      z.strictObject({
        session_id: z.string(),
        messages: z.array(HistoryMessage()),
        last_seq: z.number(),
      }),
    ),
  }),
  log: route({
    id: 'getSessionLog',
    method: 'GET',
    path: `${base}/{id}/log`,
    summary: 'Entries of the log after `since`; fewer than `limit` when they are long',
    query: () =>
      z.object({
        since: z._default(count(Number.MAX_SAFE_INTEGER), 0),
        limit: z._default(count(5000), 2000),
      }),
    answer: lazily(() => z.strictObject({ events: z.array(SessionEvent()), last_seq: z.number() })),
  }),
  events: route({
    id: 'streamSessionEvents',
    method: 'GET',
    path: `${base}/{id}/events`,
    summary: 'The log and what happens, live; `since` or Last-Event-ID replays what was missed',
    query: () => z.object({ since: z.optional(count(Number.MAX_SAFE_INTEGER)) }),
    media: ['text/event-stream'],
    isStream: true,
  }),
};
