// The REST API of seed 002: chats whose calls a client may run itself, decisions about calls, and their outcomes.
import { pluginRoutes } from '@codelab/api';
import type { ToolResult } from '@codelab/dialects';
import { newId, type Requester } from './requester.ts';

type Json = Record<string, unknown>;

export type { ToolResult };

export type ExecuteOptions = { sessionId?: string; toolId?: string; requiresApproval?: boolean };

type More = { signal?: AbortSignal | undefined };

export function toolCalls({ ask }: Pick<Requester, 'ask'>, pid: string) {
  return {
    /** Repeated after a lost answer only when the session is named: within a session the id of a call counts once. */
    executeTool: (name: string, params: Json, options: ExecuteOptions = {}) =>
      ask(pluginRoutes.execute, {
        params: { pid },
        isRepeatable: options.sessionId !== undefined,
        body: {
          tool_name: name,
          tool_params: params,
          tool_id: options.toolId ?? newId(),
          session_id: options.sessionId,
          requires_approval: options.requiresApproval,
        },
      }),
    availableTools: async () => (await ask(pluginRoutes.available, { params: { pid } })).tools,
    /** The state of a call, and its outcome. */
    toolStatus: (tid: string, sessionId?: string) =>
      ask(pluginRoutes.get, { params: { pid, tid }, query: { session_id: sessionId } }),
    sendToolResult: (
      toolId: string,
      result: Omit<ToolResult, 'tool_id'> & { tool_id?: string },
      { signal }: More = {},
    ) => ask(pluginRoutes.resultOf, { isRepeatable: true, body: { ...result, tool_id: toolId }, signal }),
    /** `metadata` may hold `session_id`, `modified_args` and `remember`. `toolId` may also be the id of the approval. */
    approveToolExecution: (toolId: string, metadata: Json = {}, { signal }: More = {}) =>
      ask(pluginRoutes.approve, {
        params: { id: toolId },
        isRepeatable: true,
        body: metadata,
        signal,
      }),
    rejectToolExecution: (toolId: string, reason: string, metadata: Json = {}, { signal }: More = {}) =>
      ask(pluginRoutes.reject, {
        params: { id: toolId },
        isRepeatable: true,
        body: { ...metadata, reason },
        signal,
      }),
    chats: chatCalls({ ask }, pid),
  };
}

function chatCalls({ ask }: Pick<Requester, 'ask'>, pid: string) {
  return {
    /** With `executor: 'client'`, the client that reads the stream runs its calls. */
    open: (options: { title?: string; session_id?: string; executor?: 'gateway' | 'client' } = {}) =>
      ask(pluginRoutes.openChat, { params: { pid }, body: options }),
    say: (sid: string, content: string, targetAgent?: string) =>
      ask(pluginRoutes.sayInChat, { params: { pid, sid }, body: { content, target_agent: targetAgent } }),
    cancel: (sid: string) => ask(pluginRoutes.cancelChat, { params: { pid, sid }, isRepeatable: true }),
  };
}
