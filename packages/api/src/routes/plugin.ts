// The API of seed 002 for an editor plugin: chats, tools, approvals, and the results of calls that a client ran.
import * as z from 'zod/mini';
import { countFromOne, jsonObject, lazily, time, wholeNumber } from '../shared.ts';
import { chatRoutes, optionalText, pluginRoute, project } from './plugin-chats.ts';

const approvals = ['/tools/{id}', `${project}/approvals/{id}`, '/my/approvals/{id}', `${project}/tools/{id}`];

const decision = (verbs: readonly string[]): string[] =>
  approvals.flatMap((address) => verbs.map((verb) => `${address}/${verb}`)).slice(1);

export const ToolRecord = lazily(() =>
  z.strictObject({
    tool_id: z.string(),
    tool_name: z.string(),
    tool_params: jsonObject(),
    session_id: z.string(),
    status: z.enum([
      'pending',
      'awaiting_approval',
      'approved',
      'executing',
      'completed',
      'failed',
      'rejected',
      'timeout',
      'cancelled',
    ]),
    requires_approval: z.boolean(),
    approval_id: optionalText(),
    result: z.optional(z.unknown()),
    metadata: z.optional(jsonObject()),
    exit_code: z.optional(z.nullable(z.number())),
    error: optionalText(),
    error_code: optionalText(),
    error_details: z.optional(jsonObject()),
    changed_by: z.optional(z.unknown()),
    created_at: time(),
    completed_at: z.optional(time()),
  }),
);
export type ToolRecord = z.infer<ReturnType<typeof ToolRecord>>;

const PluginTool = lazily(() =>
  z.strictObject({
    name: z.string(),
    description: z.string(),
    /** A JSON Schema. */
    parameters: jsonObject(),
    requires_approval: z.boolean(),
    risk_level: z.enum(['low', 'high']),
    timeout_seconds: z.number(),
  }),
);

const DecisionAnswer = lazily(() =>
  z.strictObject({
    success: z.literal(true),
    approval_id: z.string(),
    tool_id: z.string(),
    status: z.enum(['approved', 'rejected']),
  }),
);

const ResultReceipt = lazily(() =>
  z.strictObject({
    /** False for a result that does not match the tool's form. */
    success: z.boolean(),
    tool_id: z.string(),
    status: z.string(),
    receipt_status: z.enum(['received', 'processed', 'rejected']),
    message: z.optional(z.string()),
  }),
);

const Result = () =>
  z.looseObject({
    status: z.enum(['success', 'completed', 'error', 'failed', 'timeout', 'cancelled']),
    session_id: optionalText(),
  });

const toolRoutes = {
  execute: pluginRoute({
    id: 'executeTool',
    method: 'POST',
    path: `${project}/tools/execute`,
    summary: 'Makes a call; its outcome is also sent over the event stream',
    body: () =>
      z.strictObject({
        tool_name: z.string(),
        tool_params: z.optional(jsonObject()),
        args: z.optional(jsonObject()),
        arguments: z.optional(jsonObject()),
        session_id: optionalText(),
        chat_session_id: optionalText(),
        /** A call that is sent again with the same id is not run again. */
        tool_id: optionalText(),
        requires_approval: z.optional(z.boolean()),
      }),
    answer: ToolRecord,
  }),
  available: pluginRoute({
    id: 'listAvailableTools',
    method: 'GET',
    path: `${project}/tools/available`,
    summary: 'The tools of the plugin',
    answer: lazily(() =>
      z.strictObject({ success: z.literal(true), tools: z.array(PluginTool()), total_count: z.number() }),
    ),
  }),
  get: pluginRoute({
    id: 'getToolCall',
    method: 'GET',
    path: `${project}/tools/{tid}`,
    summary: 'The state and the outcome of a call',
    query: () => z.object({ session_id: optionalText() }),
    answer: ToolRecord,
  }),
  list: pluginRoute({
    id: 'listToolCalls',
    method: 'GET',
    path: `${project}/tools`,
    also: [`${project}/tools/`],
    summary: 'The calls of a chat, newest first',
    query: () =>
      z.object({
        session_id: z.string(),
        limit: z._default(countFromOne(100), 50),
        offset: z._default(wholeNumber(1_000_000), 0),
      }),
    answer: lazily(() =>
      z.strictObject({
        items: z.array(ToolRecord()),
        total: z.number(),
        limit: z.number(),
        offset: z.number(),
      }),
    ),
  }),
};

export const pluginRoutes = {
  ...chatRoutes,
  ...toolRoutes,
  /** `id` is that of the approval or of the call. */
  approve: pluginRoute({
    id: 'approveToolCall',
    method: 'POST',
    path: '/tools/{id}/approve',
    also: decision(['approve', 'confirm']),
    summary: 'Approves a call, or an edited version of it',
    body: () =>
      z.looseObject({
        decision: optionalText(),
        modified_args: z.optional(jsonObject()),
        session_id: optionalText(),
      }),
    isBodyOptional: true,
    answer: DecisionAnswer,
  }),
  reject: pluginRoute({
    id: 'rejectToolCall',
    method: 'POST',
    path: '/tools/{id}/reject',
    also: decision(['reject']),
    summary: 'Refuses a call',
    body: () =>
      z.looseObject({
        reason: z.nullish(z.string()),
        /** Set when no human rejected: the client's approval timed out, or the client does not show such a request. */
        cause: z.optional(z.enum(['timeout', 'invalid'])),
        session_id: optionalText(),
      }),
    isBodyOptional: true,
    answer: DecisionAnswer,
  }),
  result: pluginRoute({
    id: 'sendToolResult',
    method: 'POST',
    path: `${project}/tools/{tid}/result`,
    summary: 'Reports the outcome of a call that the client ran',
    body: Result,
    answer: ResultReceipt,
  }),
  resultOf: pluginRoute({
    id: 'sendResultOfTool',
    method: 'POST',
    path: '/tools/result',
    summary: 'The same, with the call named in the body',
    body: () => z.extend(Result(), { tool_id: z.string() }),
    answer: ResultReceipt,
  }),
};
