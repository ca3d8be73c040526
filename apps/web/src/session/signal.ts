// What is told while it happens, as the socket spells it.
import type { ApprovalRequest, Outcome, Reply, SessionEvent, ToolCall, TurnEnd } from '@codelab/protocol';
import type { AgentStatus } from './session-model.ts';

export type Signal =
  | { type: 'status'; status: AgentStatus }
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  | { type: 'retry'; attempt: number; afterMs: number; reason: string; discards: boolean }
  | { type: 'reply'; reply: Reply }
  | { type: 'call'; call: ToolCall }
  | { type: 'approval'; approval: ApprovalRequest }
  | { type: 'decided'; approvalId: string }
  | { type: 'progress'; callId: string; progress: Record<string, unknown> }
  | { type: 'outcome'; call: ToolCall; outcome: Outcome; text: string }
  | { type: 'ended'; turn: number; end: TurnEnd; message?: string };

export type Frame =
  | { type: 'event'; event: SessionEvent }
  | { type: 'signal'; signal: Signal }
  | { type: 'switched'; from: string; to: string; reason?: string }
  | { type: 'notice'; text: string }
  | {
      type: 'session_info';
      session_id: string;
      role: string;
      agent_type: string;
      status: AgentStatus;
      last_seq: number;
    };
