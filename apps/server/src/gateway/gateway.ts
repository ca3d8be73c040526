// What every transport of the gateway stands on: sessions that people and agents share, live. A transport decodes what a peer sends into
// these calls and encodes what it hears from `listen`; it holds no state of a session itself.
import type { AgentSignal, AgentStatus, Model } from '@codelab/agent';
import type {
  ApprovalRequest,
  DecidedBy,
  Decision,
  Outcome,
  SessionEvent,
  SessionSummary,
  ToolCall,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';

/** Who is at the other end, proven by the gateway's door. */
export type Peer = {
  subject: string;
  via: string;
  /** Holds the gateway's own token: every session of the machine is his. */
  isOperator?: true;
  /** When the proof runs out, in milliseconds since 1970. */
  until?: number;
};

/** The log's entries in order, and between them what is told once and not kept. */
export type Heard =
  | { type: 'event'; event: SessionEvent }
  | { type: 'signal'; signal: AgentSignal }
  | { type: 'switched'; from: string; to: string; reason?: string }
  /** Something a peer should know and that changes nothing, such as why a file that was named was not brought along. */
  | { type: 'notice'; text: string };

export type ContextOp = 'add_file' | 'remove_file' | 'clear';

export type SharedSession = {
  id: string;
  /** False once it was deleted, or the gateway stops. */
  readonly isOpen: boolean;
  /** What the agent is doing now, and the profile the next turn is run with. */
  readonly status: AgentStatus;
  readonly profile: string;
  /**
   * Everything after `since`, then what comes. A listener that does not keep up is ended though its signal has not aborted; the log is
   * replayed on return.
   */
  listen(options: { since: number; signal: AbortSignal }): AsyncIterable<Heard>;
  /** The number of the log's last entry. */
  head(): Promise<number>;
  history(options?: { since?: number; limit?: number }): Promise<SessionEvent[]>;
  pending(): Promise<ApprovalRequest[]>;
  /** Begins a turn; refused with CONCURRENT_LIMIT_EXCEEDED while one runs. Resolves when it was accepted. */
  say(text: string, by: Peer): Promise<void>;
  /** Carries one call out here, asking whoever listens; it goes on when its caller is gone. */
  call(call: Omit<ToolCall, 'session'>): Promise<Outcome>;
  /** Ends the turn and the calls that run for peers. */
  cancel(by: Peer): Promise<void>;
  decide(given: { approvalId: string; decision: Decision; by: DecidedBy }): Promise<void>;
  /** Returns the path as it is known from now on. */
  changeContext(op: ContextOp, path?: string): Promise<string | undefined>;
  /** The profile the next turn is run with; everybody is told. */
  switchAgent(profile: string, reason?: string): Promise<void>;
  rename(title: string): Promise<void>;
};

export type Gateway = AsyncDisposable & {
  host: Host;
  /** Opens a session, or makes it; refused with PERMISSION_DENIED when it belongs to somebody else. */
  session(id: string, by: Peer, options?: { mustExist?: boolean }): Promise<SharedSession>;
  sessions(by: Peer): Promise<SessionSummary[]>;
  deleteSession(id: string, by: Peer): Promise<void>;
  /** The model for turns, by name or the configured one. */
  openModel(name?: string): Promise<Model>;
};
