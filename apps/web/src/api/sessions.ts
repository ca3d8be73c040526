// Sessions over the API: list, open, read, talk.
import type { ApprovalRequest, Decision, SessionEvent } from '@codelab/protocol';
import { request, segment } from './request.ts';

export type SessionLine = {
  id: string;
  title: string;
  created_at: string | null;
  updated_at: string | null;
  last_seq: number;
  turns: number;
  pending_approvals: number;
  status?: string;
  agent_type?: string;
};

type Page = { limit?: number; offset?: number; query?: string };

const of = (id: string): string => `/sessions/${segment(id)}`;

export const sessionsApi = {
  list: (page: Page = {}, signal?: AbortSignal) =>
    request<{ sessions: SessionLine[]; total?: number }>('GET', '/sessions', {
      query: page,
      ...(signal && { signal }),
    }),
  create: (body: { title?: string; agent_type?: string } = {}) =>
    request<SessionLine>('POST', '/sessions', { body }),
  get: (id: string) => request<SessionLine>('GET', of(id)),
  change: (id: string, body: { title?: string; agent_type?: string }) =>
    request<SessionLine>('PATCH', of(id), { body }),
  remove: (id: string) => request<unknown>('DELETE', of(id)),
  /** Up to the end of the turn that entry lies in; without it, all of it. */
  fork: (id: string, seq?: number) =>
    request<SessionLine>('POST', `${of(id)}/fork`, { body: seq === undefined ? {} : { seq } }),
  log: (id: string, since: number, signal?: AbortSignal) =>
    request<{ events: SessionEvent[]; last_seq: number }>('GET', `${of(id)}/log`, {
      query: { since, limit: 2000 },
      ...(signal && { signal }),
    }),
  say: (id: string, body: { content: string; agent_type?: string; model?: string }) =>
    request<{ session_id: string }>('POST', `${of(id)}/messages`, { body }),
  cancel: (id: string) => request<unknown>('POST', `${of(id)}/cancel`, { body: {} }),
  /** Holds only for exactly what the approval showed. */
  decide: ({ id, session, binding }: ApprovalRequest, decision: Decision) =>
    request<{ approval_id: string }>('POST', `${of(session)}/decisions`, {
      body: { approval_id: id, binding, decision },
    }),
  undo: (id: string, body: object = {}) => request<{ done: boolean }>('POST', `${of(id)}/undo`, { body }),
  redo: (id: string, body: object = {}) => request<{ done: boolean }>('POST', `${of(id)}/redo`, { body }),
  context: (id: string, body: { action: 'add_file' | 'remove_file' | 'clear'; path?: string }) =>
    request<unknown>('POST', `${of(id)}/context`, { body }),
};
