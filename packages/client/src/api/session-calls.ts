// Sessions: finding, naming and deleting them, reading their content, and taking part.
import {
  approvalRoutes,
  auditRoutes,
  commandRoutes,
  conversationRoutes,
  gatewayRoutes,
  type RouteBody,
  type SentBody,
  type SentQuery,
  screenRoutes,
  sessionRoutes,
} from '@codelab/api';
import { newId, type Requester } from './requester.ts';

type Query<R extends keyof typeof sessionRoutes> = SentQuery<(typeof sessionRoutes)[R]>;
type SessionChange = SentBody<typeof sessionRoutes.update>;

export function sessionCalls({ ask }: Requester) {
  const update = (id: string, body: SessionChange) =>
    ask(sessionRoutes.update, { params: { id }, body, isRepeatable: true });
  return {
    list: (page: Query<'list'> = {}, signal?: AbortSignal) =>
      ask(sessionRoutes.list, { query: page, signal }),
    create: (body: SentBody<typeof sessionRoutes.create> = {}) => ask(sessionRoutes.create, { body }),
    get: (id: string) => ask(sessionRoutes.get, { params: { id } }),
    rename: (id: string, title: string) => update(id, { title }),
    /** A new title, or the profile of the next turn. */
    update,
    delete: (id: string) => ask(sessionRoutes.delete, { params: { id } }),
    history: (id: string) => ask(sessionRoutes.history, { params: { id } }),
    pendingApprovals: async (id: string) =>
      (await ask(approvalRoutes.pendingIn, { params: { id } })).pending_approvals,
    log: (id: string, page: Query<'log'> = {}, signal?: AbortSignal) =>
      ask(sessionRoutes.log, { params: { id }, query: page, signal }),
    /** Up to the end of the turn with entry `seq`; without it, the whole session. */
    fork: (id: string, seq?: number) => ask(sessionRoutes.fork, { params: { id }, body: { seq } }),
    /** A branch with everything before the turn of that entry. */
    branch: (id: string, before: number) => ask(sessionRoutes.fork, { params: { id }, body: { before } }),
    branches: async (id: string, signal?: AbortSignal) =>
      (await ask(sessionRoutes.branches, { params: { id }, signal })).branches,
    /** Searches the messages of sessions. */
    search: (query: Query<'search'>, signal?: AbortSignal) => ask(sessionRoutes.search, { query, signal }),
    ...queueCalls(ask),
    todos: async (id: string) => (await ask(conversationRoutes.todos, { params: { id } })).todos,
    context: (id: string, signal?: AbortSignal) =>
      ask(conversationRoutes.context, { params: { id }, signal }),
    changeContext: (
      id: string,
      action: RouteBody<typeof conversationRoutes.changeContext>['action'],
      path?: string,
      /** The unsaved text of an added file. */
      content?: string,
    ) =>
      ask(conversationRoutes.changeContext, {
        params: { id },
        body: { action, path, content },
        isRepeatable: true,
      }),
  };
}

function queueCalls(ask: Requester['ask']) {
  return {
    queue: async (id: string) => (await ask(conversationRoutes.queue, { params: { id } })).messages,
    changeQueued: async (
      id: string,
      message: string,
      body: SentBody<typeof conversationRoutes.changeQueued>,
    ) =>
      (await ask(conversationRoutes.changeQueued, { params: { id, message }, body, isRepeatable: true }))
        .messages,
    removeQueued: async (id: string, message: string) =>
      (await ask(conversationRoutes.removeQueued, { params: { id, message } })).messages,
  };
}

type DecisionBody = SentBody<typeof approvalRoutes.decide>;
type MessageBody = SentBody<typeof conversationRoutes.say>;
type CallBody = SentBody<typeof conversationRoutes.call>;

/** A person's actions in a session. */
export function participationCalls({ ask }: Requester) {
  return {
    /** Begins a turn, or queues the message. Repeated only with a `message_id`: without one, a repetition would be a second turn. */
    sendMessage: (id: string, content: string, options: Omit<MessageBody, 'content'> = {}) =>
      ask(conversationRoutes.say, {
        params: { id },
        body: { content, ...options },
        isRepeatable: options.message_id !== undefined,
      }),
    /** Continues after a limit, or asks the model again after an error. */
    continue: (id: string, body: SentBody<typeof conversationRoutes.continue> = {}) =>
      ask(conversationRoutes.continue, { params: { id }, body }),
    /** False when there is nothing to summarize. */
    compact: async (id: string) => (await ask(conversationRoutes.compact, { params: { id } })).compacted,
    cancel: (id: string) => ask(conversationRoutes.cancel, { params: { id }, isRepeatable: true }),
    /** Continues a turn that was interrupted, or whose approval expired unanswered. */
    resume: (id: string) => ask(conversationRoutes.resume, { params: { id }, isRepeatable: true }),
    /**
     * The first decision counts; a later one gets the existing decision as its answer. With `binding`, the decision holds only for what was
     * shown.
     */
    decide: (id: string, approvalId: string, decision: DecisionBody['decision'], binding?: string) =>
      ask(approvalRoutes.decide, {
        params: { id },
        body: { approval_id: approvalId, decision, binding },
        isRepeatable: true,
      }),
    /**
     * One call of a core tool. With `approve`, the person at the screen makes the call themselves; a denied call stays denied. With `tell`,
     * the model gets it.
     */
    call: async (id: string, call: CallBody, signal?: AbortSignal) => {
      const body = { ...call, call_id: call.call_id ?? newId() };
      return (await ask(conversationRoutes.call, { params: { id }, body, isRepeatable: true, signal }))
        .outcome;
    },
  };
}

/** The state that screens store: for the workspace, and for each session. */
export function screenCalls({ ask }: Requester) {
  return {
    get: async (signal?: AbortSignal) => (await ask(screenRoutes.get, { signal })).state,
    change: (state: Record<string, unknown>) =>
      ask(screenRoutes.change, { body: { state }, isRepeatable: true }),
    getOf: async (id: string, signal?: AbortSignal) =>
      (await ask(screenRoutes.getOf, { params: { id }, signal })).state,
    changeOf: (id: string, state: Record<string, unknown>) =>
      ask(screenRoutes.changeOf, { params: { id }, body: { state }, isRepeatable: true }),
  };
}

export function approvalCalls({ ask }: Requester) {
  return {
    /** Pending approvals of all sessions of the requesting user. */
    pending: async (signal?: AbortSignal) =>
      (await ask(approvalRoutes.pending, { signal })).pending_approvals,
    /** The rule that would remember a decision, and the earlier calls it would have matched. */
    rule: (id: string, approval: string, query: SentQuery<typeof approvalRoutes.rule> = {}) =>
      ask(approvalRoutes.rule, { params: { id, approval }, query }),
    /** A link that can answer this approval once. */
    link: (id: string, approval: string) => ask(approvalRoutes.link, { params: { id, approval } }),
  };
}

export function auditCalls({ ask, text }: Requester) {
  return {
    verify: (id: string) => ask(auditRoutes.verify, { params: { id } }),
    /** The record as JSON lines. */
    export: (id: string) => text(auditRoutes.export, { params: { id } }),
  };
}

export function gatewayCalls({ ask }: Requester) {
  return {
    agents: () => ask(gatewayRoutes.agents),
    tools: (query: SentQuery<typeof gatewayRoutes.tools> = {}) => ask(gatewayRoutes.tools, { query }),
    /** The commands and skills that can be sent by name. */
    commands: () => ask(commandRoutes.list),
    fillCommand: (name: string, typed: string) =>
      ask(commandRoutes.fill, { params: { name }, body: { typed }, isRepeatable: true }),
  };
}
