// Sessions: finding, naming and forgetting them, what is in them, and taking part.
import type { Decision } from '@codelab/protocol';
import * as z from 'zod/mini';
import { newId } from '../new-id.ts';
import { present } from './present.ts';
import type { Requester } from './requester.ts';
import {
  Anything,
  ContextFiles,
  Decided,
  History,
  Link,
  Log,
  outcome,
  PendingApprovals,
  RuleProposal,
  Session,
  SessionList,
  Todos,
  Verified,
} from './shapes.ts';

const base = '/api/v1/sessions';

export function sessionAt(id: string): string {
  return `${base}/${encodeURIComponent(id)}`;
}

export function sessionCalls({ ask, tell }: Requester) {
  return {
    list: (page: { limit?: number; offset?: number; query?: string } = {}) =>
      ask('GET', base, SessionList, { query: page }),
    create: (given: { title?: string; agent_type?: string } = {}) =>
      ask('POST', base, Session, { body: given }),
    get: (id: string) => ask('GET', sessionAt(id), Session),
    rename: (id: string, title: string) =>
      ask('PATCH', sessionAt(id), Session, { body: { title }, isRepeatable: true }),
    /** A new title, or the profile that the next turn is run with. */
    update: (id: string, given: { title?: string; agent_type?: string }) =>
      ask('PATCH', sessionAt(id), Session, { body: given, isRepeatable: true }),
    delete: (id: string) => tell('DELETE', sessionAt(id)),
    history: (id: string) => ask('GET', `${sessionAt(id)}/history`, History),
    pendingApprovals: async (id: string) =>
      (await ask('GET', `${sessionAt(id)}/pending-approvals`, PendingApprovals)).pending_approvals,
    log: (id: string, page: { since?: number; limit?: number } = {}) =>
      ask('GET', `${sessionAt(id)}/log`, Log, { query: page }),
    fork: (id: string, seq?: number) =>
      ask('POST', `${sessionAt(id)}/fork`, Session, { body: present({ seq }) }),
    todos: async (id: string) => (await ask('GET', `${sessionAt(id)}/todos`, Todos)).todos,
    context: (id: string) => ask('GET', `${sessionAt(id)}/context`, ContextFiles),
    changeContext: (id: string, action: 'add_file' | 'remove_file' | 'clear', path?: string) =>
      ask('POST', `${sessionAt(id)}/context`, ContextFiles, {
        body: present({ action, path }),
        isRepeatable: true,
      }),
  };
}

/** What a person does in a session. */
export function takePart({ ask, tell }: Requester) {
  return {
    /** Begins a turn. Not repeated: it has no id, and said twice it would be two turns. */
    sendMessage: (sessionId: string, content: string, more: { agent_type?: string; model?: string } = {}) =>
      tell('POST', `${sessionAt(sessionId)}/messages`, { body: { content, ...more } }),
    cancel: (sessionId: string) =>
      tell('POST', `${sessionAt(sessionId)}/cancel`, { body: {}, isRepeatable: true }),
    /** The first decision counts; one that comes later is told what was decided. */
    decide: (sessionId: string, approvalId: string, decision: Decision) =>
      ask('POST', `${sessionAt(sessionId)}/decisions`, Decided, {
        body: { approval_id: approvalId, decision },
        isRepeatable: true,
      }),
    /** One call of a core tool. With `approve`, the person at the screen does it himself; what is denied stays denied. */
    call: async (
      sessionId: string,
      given: { tool: string; args: Record<string, unknown>; call_id?: string; approve?: boolean },
      signal?: AbortSignal,
    ) => {
      const body = { ...given, call_id: given.call_id ?? newId() };
      const asked = { body, isRepeatable: true, signal };
      return (
        await ask('POST', `${sessionAt(sessionId)}/calls`, () => z.looseObject({ outcome: outcome() }), asked)
      ).outcome;
    },
  };
}

export function approvalCalls({ ask }: Requester) {
  const at = (session: string, id: string): string =>
    `${sessionAt(session)}/approvals/${encodeURIComponent(id)}`;
  return {
    /** Of all sessions of whoever asks. */
    pending: async () => (await ask('GET', '/api/v1/pending-approvals', PendingApprovals)).pending_approvals,
    /** The rule a decision would be remembered as, and what it would have matched. */
    rule: (sessionId: string, approvalId: string) =>
      ask('GET', `${at(sessionId, approvalId)}/rule`, RuleProposal),
    /** An address that answers this one question once. */
    link: (sessionId: string, approvalId: string) =>
      ask('POST', `${at(sessionId, approvalId)}/link`, Link, { body: {} }),
  };
}

export function auditCalls({ ask, text }: Requester) {
  return {
    verify: (sessionId: string) => ask('GET', `${sessionAt(sessionId)}/audit/verify`, Verified),
    /** The record as JSON lines. */
    export: (sessionId: string) => text('GET', `${sessionAt(sessionId)}/audit/export`),
  };
}

export function gatewayCalls({ ask }: Requester) {
  return {
    agents: () => ask('GET', '/api/v1/agents', () => z.union([z.array(Anything()), Anything()])),
    tools: (query: { dialect?: string; profile?: string } = {}) =>
      ask('GET', '/api/v1/tools', () => z.union([z.array(Anything()), Anything()]), { query }),
  };
}
