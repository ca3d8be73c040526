// What a session tells whoever listens: the entries of its log in order, and between them signals that are sent once and not kept.
import type { ToolCall } from './call.ts';
import type { TurnEnd } from './conversation-event.ts';
import type { ApprovalRequest } from './decision.ts';
import type { SessionEvent } from './event.ts';
import type { Outcome } from './outcome.ts';
import type { Reply } from './reply.ts';

export type AgentStatus = 'idle' | 'thinking' | 'executing_tool' | 'waiting_approval' | 'error';

/** What an agent does at this moment. Everything that lasts is in the log as well. */
export type AgentSignal =
  | { type: 'status'; status: AgentStatus }
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  /** The model is asked again; with `discards`, what it has said so far in this step is void. */
  | { type: 'retry'; attempt: number; afterMs: number; reason: string; discards: boolean }
  | { type: 'reply'; reply: Reply }
  | { type: 'call'; call: ToolCall }
  | { type: 'approval'; approval: ApprovalRequest }
  | { type: 'decided'; approvalId: string }
  | { type: 'progress'; callId: string; progress: Record<string, unknown> }
  | { type: 'outcome'; call: ToolCall; outcome: Outcome; text: string }
  | { type: 'ended'; turn: number; end: TurnEnd; message?: string };

export type SessionMessage =
  | { type: 'event'; event: SessionEvent }
  | { type: 'signal'; signal: AgentSignal }
  | { type: 'switched'; from: string; to: string; reason?: string }
  /** Something a listener should know and that changes nothing, such as why a named file was not added to the context. */
  | { type: 'notice'; text: string };

/** The first message on a neutral socket. */
export type SessionInfo = {
  type: 'session_info';
  session_id: string;
  role: string;
  agent_type: string;
  status: AgentStatus;
  last_seq: number;
};

/** What a socket with `dialect=neutral` sends. */
export type NeutralMessage = SessionMessage | SessionInfo;
