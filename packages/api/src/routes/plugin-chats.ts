// Chats of seed 002: sessions of this gateway, their messages and events.
import * as z from 'zod/mini';
import { PluginError } from '../errors.ts';
import { defineRoute, type Route } from '../route.ts';
import { lazily, time } from '../shared.ts';

/** Every project is the workspace of this gateway. */
export const project = '/my/projects/{pid}';

export function pluginRoute<const R extends Omit<Route, 'errors'>>(
  spec: R,
): R & { errors: typeof PluginError } {
  return defineRoute({ ...spec, errors: PluginError });
}

/** Seed 002 has a trailing slash; the path without it means the same. */
function withSlash<const Path extends string>(path: Path): { path: `${Path}/`; also: string[] } {
  return { path: `${path}/`, also: [path] };
}

export const optionalText = () => z.optional(z.string());

const ChatMessage = lazily(() =>
  z.strictObject({
    id: z.number(),
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    created_at: time(),
  }),
);
export type ChatMessage = z.infer<ReturnType<typeof ChatMessage>>;

export const chatRoutes = {
  openChat: pluginRoute({
    id: 'openChat',
    method: 'POST',
    ...withSlash(`${project}/chat/sessions`),
    summary: 'Opens a chat',
    body: () =>
      z.looseObject({
        session_id: optionalText(),
        title: z.optional(z.string().check(z.maxLength(200))),
        /** `client`: the client runs the calls, over the event stream. */
        executor: z._default(z.enum(['gateway', 'client']), 'gateway'),
      }),
    isBodyOptional: true,
    status: 201,
    answer: lazily(() =>
      z.strictObject({
        id: z.string(),
        session_id: z.string(),
        title: z.nullable(z.string()),
        executor: z.enum(['gateway', 'client']),
        created_at: time(),
      }),
    ),
  }),
  chats: pluginRoute({
    id: 'listChats',
    method: 'GET',
    ...withSlash(`${project}/chat/sessions`),
    summary: 'Your chats',
    answer: lazily(() =>
      z.array(
        z.strictObject({
          id: z.string(),
          session_id: z.string(),
          created_at: time(),
          updated_at: time(),
        }),
      ),
    ),
  }),
  deleteChat: pluginRoute({
    id: 'deleteChat',
    method: 'DELETE',
    path: `${project}/chat/sessions/{sid}`,
    also: [`${project}/chat/sessions/{sid}/`],
    summary: 'Deletes a chat',
    status: 204,
  }),
  chatMessages: pluginRoute({
    id: 'listChatMessages',
    method: 'GET',
    ...withSlash(`${project}/chat/sessions/{sid}/messages`),
    summary: 'The messages of a chat',
    answer: lazily(() => z.array(ChatMessage())),
  }),
  sayInChat: pluginRoute({
    id: 'sendChatMessage',
    method: 'POST',
    ...withSlash(`${project}/chat/{sid}/message`),
    summary: 'Sends a message; the answer comes over the event stream',
    body: () =>
      z.strictObject({
        content: z.string().check(z.minLength(1), z.maxLength(10_000)),
        target_agent: z.nullish(z.string()),
      }),
    status: 202,
    answer: lazily(() =>
      z.strictObject({ status: z.literal('accepted'), session_id: z.string(), agent: z.string() }),
    ),
  }),
  cancelChat: pluginRoute({
    id: 'cancelChat',
    method: 'POST',
    ...withSlash(`${project}/chat/{sid}/cancel`),
    summary: 'Cancels the running turn',
    answer: lazily(() => z.strictObject({ status: z.literal('cancelled'), session_id: z.string() })),
  }),
  chatEvents: pluginRoute({
    id: 'streamChatEvents',
    method: 'GET',
    ...withSlash(`${project}/chat/{sid}/events`),
    summary: 'The events of a chat, live; `since` or Last-Event-ID replays missed events',
    query: () =>
      z.object({
        since: optionalText(),
        role: z.optional(z.enum(['executor', 'approver', 'viewer'])),
      }),
    media: ['text/event-stream', 'application/x-ndjson'],
    isStream: true,
  }),
};
