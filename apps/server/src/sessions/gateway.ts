// What every transport of the gateway stands on: sessions that people and agents share, live. A transport decodes what a peer sends into
// these calls and encodes what it hears from `listen`; it holds no state of a session itself.
import type { Model, TurnResult } from '@codelab/agent';
import type {
  Actor,
  AgentSignal,
  AgentStatus,
  ApprovalRequest,
  DecidedBy,
  Decision,
  DialectName,
  EventBody,
  Outcome,
  ReadOptions,
  SessionEvent,
  SessionMessage,
  SessionSummary,
  ToolCall,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { actorOf, type Peer } from '../edge/peer.ts';
import type { Executors } from '../executors/executors.ts';

export { actorOf, type Peer };

export type SayOptions = {
  /** For this turn only, in the place of the session's own. */
  model?: string;
  profile?: string;
  dialect?: DialectName;
  /** The folder of the workspace that Kode's tools work in. */
  workingDir?: string;
  /** Shown to the model besides those that the text names with `@`. */
  files?: readonly string[];
  /** Hears every signal of this turn, however slowly it listens. */
  watch?(signal: AgentSignal): void;
  /** Cancels the turn. */
  signal?: AbortSignal;
};

/** `isFirst`: nobody has talked in the session before. `ended` never rejects. */
export type StartedTurn = { model: string; isFirst: boolean; ended: Promise<TurnResult> };

type CallOptions = { isConsented?: boolean; signal?: AbortSignal };

type ContextOp = 'add_file' | 'remove_file' | 'clear';

export type SharedSession = {
  id: string;
  /** False once it was deleted, or the gateway stops. */
  readonly isOpen: boolean;
  /** What the agent is doing now, and the profile the next turn is run with. */
  readonly status: AgentStatus;
  readonly profile: string;
  /** A client that has the files carries its calls out, in this dialect's tools; undefined where the gateway does. */
  readonly client: DialectName | undefined;
  /** The host as this session sees it; one whose files are with a client sees none. */
  readonly host: Host;
  /** Goes on with a turn that was cut off, and starts the calls that were decided and not begun, when nobody else does. */
  goOn(): void;
  /** Everything after `since`, then what comes. Who does not keep up still hears every entry of the log, but not all that passes in between. */
  listen(options: { since: number; signal: AbortSignal }): AsyncIterable<SessionMessage>;
  /** The number of the log's last entry. */
  head(): Promise<number>;
  history(options?: ReadOptions): Promise<SessionEvent[]>;
  pending(): Promise<ApprovalRequest[]>;
  /**
   * Begins a turn; refused with CONCURRENT_LIMIT_EXCEEDED while one runs. Resolves when it was accepted.
   */
  say(text: string, by: Peer, options?: SayOptions): Promise<StartedTurn>;
  /**
   * Carries one call out here, asking whoever listens; it goes on when its caller is gone. `by` is recorded as who asked for it. With
   * `isConsented` nobody is asked: who makes the call agrees to it by making it. `signal` takes it back.
   */
  call(call: Omit<ToolCall, 'session' | 'by'>, by: Actor, options?: CallOptions): Promise<Outcome>;
  /** Ends the turn and the calls that run for peers; the log names who did. */
  cancel(by: Peer): Promise<void>;
  /** `also` is written down together with the decision. */
  decide(given: {
    approvalId: string;
    decision: Decision;
    by: DecidedBy;
    also?: readonly EventBody[];
  }): Promise<void>;
  /** Returns the path as it is known from now on. `content` is the text of an added file that an editor has not saved. */
  changeContext(op: ContextOp, path?: string, content?: string): Promise<string | undefined>;
  /** The profile the next turn is run with; everybody is told. */
  switchAgent(profile: string, reason?: string): Promise<void>;
  rename(title: string): Promise<void>;
};

export type Gateway = AsyncDisposable & {
  host: Host;
  /** False: all sessions are carried out by clients. */
  hasFiles: boolean;
  executors: Executors;
  /**
   * Opens a session, or makes it; refused with PERMISSION_DENIED when it belongs to somebody else. `client`: one that is made is carried
   * out by a client with that dialect's tools.
   */
  session(
    id: string,
    by: Peer,
    options?: { mustExist?: boolean; client?: DialectName },
  ): Promise<SharedSession>;
  sessions(by: Peer): Promise<SessionSummary[]>;
  /** The session, when somebody here uses it already. */
  opened(id: string): Promise<SharedSession | undefined>;
  /** A new session that begins with what was said in this one: up to the end of the turn that entry `seq` is in, or all of it. */
  fork(id: string, by: Peer, options?: { seq?: number; title?: string }): Promise<SharedSession>;
  deleteSession(id: string, by: Peer): Promise<void>;
  /** The model for turns, by name or the configured one. */
  openModel(name?: string): Promise<Model>;
};

// The roles that older gateways knew, by the names of our profiles.
const names: Record<string, string> = {
  orchestrator: 'build',
  coder: 'build',
  code: 'build',
  universal: 'build',
};

export function profileOf(agentType: string): string {
  return Object.hasOwn(names, agentType) ? (names[agentType] ?? agentType) : agentType;
}
