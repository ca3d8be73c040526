// What is heard over each wire, as far as a client relies on it. Types that are not named here come through as well.
import type { AgentSignal, NeutralMessage } from '@codelab/protocol';

export type Wire = 'agent' | 'codelab' | 'neutral' | 'plugin';

type Json = Record<string, unknown>;

/** Any message: an object with a type. */
export type Frame = Json & { type: string };

/** Told once and not kept. What lasts comes as an event. */
export type Signal = AgentSignal;

type Info = { type: 'session_info'; session_id: string; role: string; agent_type: string; last_seq?: number };

type NeutralFrames = { [Type in NeutralMessage['type']]: Extract<NeutralMessage, { type: Type }> };

type Numbered<T extends string, F = object> = { type: T; seq?: number } & F & Json;

/** `error` of a failed call is a text in the wire `agent`, an object in `codelab`. */
type SocketFrames = {
  session_info: Info;
  agent_status: Numbered<'agent_status', { status: string; message: string }>;
  user_message: Numbered<'user_message', { content: string }>;
  assistant_message: Numbered<'assistant_message', { content?: string; token?: string; is_final: boolean }>;
  tool_call: Numbered<'tool_call', { call_id: string; tool_name: string; requires_approval: boolean }>;
  tool_result: Numbered<'tool_result', { call_id: string }>;
  status: Numbered<'status', { content: string; metadata?: Json }>;
  agent_switched: Numbered<'agent_switched', { from_agent: string; to_agent: string }>;
  context_update: Numbered<'context_update', { action: string }>;
  cancel: Numbered<'cancel', { call_id?: string }>;
  error: Numbered<'error', { error_code: string; message: string; call_id?: string }>;
  done: Numbered<'done', { status: string; turn: number }>;
};

type PluginFrames = {
  'tool.approval_request': Numbered<'tool.approval_request', { tool_id: string; tool_name: string }>;
  'tool.execution_signal': Numbered<'tool.execution_signal', { tool_id: string; tool_type: string }>;
  'tool.result_ack': Numbered<'tool.result_ack', { tool_id: string; receipt_status: string }>;
  approval_resolved: Numbered<
    'approval_resolved',
    { approval_id: string; tool_id: string; decision: string }
  >;
  approval_timeout: Numbered<'approval_timeout', { approval_id: string; tool_id: string }>;
  tool_result: Numbered<'tool_result', { tool_id: string }>;
  tool_error: Numbered<'tool_error', { tool_id: string }>;
  message_created: Numbered<'message_created', { role: string; content: string }>;
  message_chunk: Numbered<'message_chunk', { role: string; content: string }>;
  agent_status_changed: Numbered<'agent_status_changed', { status: string }>;
  agent_switched: Numbered<'agent_switched', { from: string; to: string }>;
  task_progress: Numbered<'task_progress', { tool_id: string; progress: Json }>;
  task_completed: Numbered<'task_completed', { turn: number; status: string }>;
  notice: Numbered<'notice', { message: string }>;
  error: Numbered<'error', { error_code: string; message: string }>;
  heartbeat: Numbered<'heartbeat'>;
};

export type Frames = {
  neutral: NeutralFrames;
  agent: SocketFrames;
  codelab: SocketFrames;
  plugin: PluginFrames;
};

export type AnyFrame<W extends Wire> = Frames[W][keyof Frames[W]];
