// Seed 002's REST: chats whose calls a client may carry out itself, decisions about them, and how they ended.
import * as z from 'zod/mini';
import { newId } from '../new-id.ts';
import { present } from './present.ts';
import type { Asked, Requester } from './requester.ts';
import { AvailableTools, Decided, Receipt, ToolRecord } from './shapes.ts';

type Json = Record<string, unknown>;

/** How a call ended that was carried out here, in seed 002's form. */
export type ToolResult = {
  tool_id: string;
  tool_type: string;
  status: 'success' | 'error' | 'timeout' | 'cancelled';
  output?: unknown;
  metadata?: Json;
  exitCode?: number | null;
  error?: { message: string; code: string; details?: Json };
  duration_ms: number;
  timestamp: string;
  /** Models number their calls, so that two chats may have the same id. */
  session_id?: string;
};

type Chat = z.infer<ReturnType<typeof ChatShape>>;

const ChatShape = () =>
  z.looseObject({ session_id: z.string(), title: z.nullish(z.string()), executor: z.optional(z.string()) });

export type ExecuteOptions = { sessionId?: string; toolId?: string; requiresApproval?: boolean };

export function toolCalls({ ask, tell }: Pick<Requester, 'ask' | 'tell'>, project: string) {
  const base = `/my/projects/${encodeURIComponent(project)}`;
  const at = (id: string): string => `/tools/${encodeURIComponent(id)}`;
  return {
    /** Sent again after a lost answer only where its session is named: there the id of a call counts once. */
    executeTool: (name: string, params: Json, options: ExecuteOptions = {}) =>
      ask('POST', `${base}/tools/execute`, ToolRecord, {
        isRepeatable: options.sessionId !== undefined,
        body: present({
          tool_name: name,
          tool_params: params,
          tool_id: options.toolId ?? newId(),
          session_id: options.sessionId,
          requires_approval: options.requiresApproval,
        }),
      }),
    availableTools: async () => (await ask('GET', `${base}/tools/available`, AvailableTools)).tools,
    /** How a call stands, and what came of it. */
    toolStatus: (toolId: string, sessionId?: string) =>
      ask('GET', `${base}${at(toolId)}`, ToolRecord, { query: { session_id: sessionId } }),
    sendToolResult: (
      toolId: string,
      result: Omit<ToolResult, 'tool_id'> & { tool_id?: string },
      more: Asked = {},
    ) =>
      ask('POST', '/tools/result', Receipt, {
        ...more,
        isRepeatable: true,
        body: { ...result, tool_id: toolId },
      }),
    /** `metadata` may hold `session_id`, `modified_args` and `remember`. `toolId` may be the approval's id as well. */
    approveToolExecution: (toolId: string, metadata: Json = {}, more: Asked = {}) =>
      ask('POST', `${at(toolId)}/approve`, Decided, { ...more, isRepeatable: true, body: metadata }),
    rejectToolExecution: (toolId: string, reason: string, metadata: Json = {}, more: Asked = {}) =>
      ask('POST', `${at(toolId)}/reject`, Decided, {
        ...more,
        isRepeatable: true,
        body: { ...metadata, reason },
      }),
    chats: chatCalls({ ask, tell }, base),
  };
}

function chatCalls({ ask, tell }: Pick<Requester, 'ask' | 'tell'>, base: string) {
  const at = (id: string): string => `${base}/chat/${encodeURIComponent(id)}`;
  return {
    /** With `executor: 'client'` its calls are carried out by whoever listens to its stream. */
    open: (
      given: { title?: string; session_id?: string; executor?: 'gateway' | 'client' } = {},
    ): Promise<Chat> => ask('POST', `${base}/chat/sessions/`, ChatShape, { body: given }),
    say: (sessionId: string, content: string, targetAgent?: string) =>
      tell('POST', `${at(sessionId)}/message/`, { body: present({ content, target_agent: targetAgent }) }),
    cancel: (sessionId: string) => tell('POST', `${at(sessionId)}/cancel/`, { isRepeatable: true, body: {} }),
  };
}
