// The gateway that all transports use: sessions that people and agents share, live. A transport decodes a peer's messages into these calls
// and encodes the messages from `listen`; it has no session state of its own.
import type { Model, TurnResult } from '@codelab/agent';
import type {
  Actor,
  AgentSignal,
  AgentStatus,
  ApprovalRequest,
  DecidedBy,
  Decision,
  Delivery,
  DialectName,
  EventBody,
  ImagePart,
  Outcome,
  PolicyMode,
  ReadOptions,
  SessionEvent,
  SessionMessage,
  SessionSummary,
  ToolCall,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { SessionElsewhere } from '../cluster/cluster.ts';
import { actorOf, type Peer } from '../edge/peer.ts';
import type { Executors } from '../executors/executors.ts';
import type {
  DroppedWorktree,
  DropWish,
  MergedWorktree,
  MergeWish,
  PrintedState,
} from '../worktrees/finish-worktree.ts';
import type { WorktreeWish } from '../worktrees/make-worktree.ts';
import type { OwnWorktree } from '../worktrees/worktree-hosts.ts';

export { actorOf, type Peer };

export type SayOptions = {
  /** The model of this turn only, in place of the session's own. */
  model?: string;
  profile?: string;
  dialect?: DialectName;
  /** The folder of the workspace that Kode's tools work in. */
  workingDir?: string;
  /** A person is at the session: approvals wait for them. A signed-in page always counts as one. */
  isAttended?: boolean;
  /** Files shown to the model besides those that the text names with `@`. */
  files?: readonly string[];
  images?: readonly ImagePart[];
  /** Receives every signal of this turn, however slowly it reads. */
  watch?(signal: AgentSignal): void;
  /** Cancels the turn. */
  signal?: AbortSignal;
  /** Whether to resolve only when the turn is in the log: from then on the sender may drop the message. */
  untilRecorded?: boolean;
};

/** With `messageId`, a repeated message is accepted once. With `delivery`, it is queued while a turn runs. */
export type SendOptions = SayOptions & { messageId?: string | undefined; delivery?: Delivery | undefined };

/** `isFirst`: the session had no conversation before. `ended` never rejects. */
export type StartedTurn = { model: string; isFirst: boolean; ended: Promise<TurnResult> };

type CallOptions = {
  isConsented?: boolean;
  /** Whether the model gets the call at its next turn. */
  isTold?: boolean;
  signal?: AbortSignal;
};

type ContextOp = 'add_file' | 'remove_file' | 'clear';

export type SharedSession = {
  id: string;
  /** False once the session was deleted, or the gateway stops. */
  readonly isOpen: boolean;
  /** Whether another gateway serves the session now. */
  readonly isMoved: boolean;
  /** The agent's present activity, and the profile of the next turn. */
  readonly status: AgentStatus;
  readonly profile: string;
  /** The dialect of the client that has the files and carries out the calls; undefined where the gateway does. */
  readonly client: DialectName | undefined;
  /** The host as this session sees it: over its worktree, where it has one; without files where a client has them. */
  readonly host: Host;
  /** Undefined where the session works in the workspace itself. */
  readonly worktree: OwnWorktree | undefined;
  /**
   * Continues an interrupted turn, and starts calls that were decided but not begun, unless another process does. Without an open turn,
   * queued messages are sent; after a failed or cancelled turn only with `isAsked`.
   */
  goOn(options?: { isAsked?: boolean }): void;
  /** All entries after `since`, then new ones. A slow subscriber still gets every entry of the log, but not every signal in between. */
  listen(options: { since: number; signal: AbortSignal }): AsyncIterable<SessionMessage>;
  /** The number of the log's last entry. */
  head(): Promise<number>;
  history(options?: ReadOptions): Promise<SessionEvent[]>;
  pending(): Promise<ApprovalRequest[]>;
  /**
   * Begins a turn; refused with CONCURRENT_LIMIT_EXCEEDED while one runs. Resolves when it was accepted.
   */
  say(text: string, by: Peer, options?: SayOptions): Promise<StartedTurn>;
  /** Like `say`, but queues the message while a turn runs, if allowed; returns the id of a queued message. */
  send(text: string, by: Peer, options: SendOptions): Promise<string | undefined>;
  /** A turn without a message: the model continues where the previous turn stopped, or the request is repeated. */
  continue(by: Peer, options?: SayOptions): Promise<void>;
  /** Sums up the older part of the conversation for the model; false when there is nothing to sum up. Refused while a turn runs. */
  compact(): Promise<boolean>;
  /**
   * Runs one call here, with approvals by the session's listeners; it continues when its caller is gone. `by` is recorded as the author.
   * With `isConsented` no approval is needed: making the call is the consent. `signal` cancels it.
   */
  call(call: Omit<ToolCall, 'session' | 'by'>, by: Actor, options?: CallOptions): Promise<Outcome>;
  /** Ends the turn and the calls that run for peers; the log names who did. */
  cancel(by: Peer): Promise<void>;
  /** `also` is written down together with the decision. */
  decide(request: {
    approvalId: string;
    decision: Decision;
    by: DecidedBy;
    also?: readonly EventBody[];
  }): Promise<void>;
  /** Returns the path under which the file is known from now on. `content` is the unsaved text of an added file. */
  changeContext(op: ContextOp, path?: string, content?: string): Promise<string | undefined>;
  /** Changes the profile of the next turn and notifies all subscribers. */
  switchAgent(profile: string, reason?: string): Promise<void>;
  rename(title: string): Promise<void>;
  /** Changes how much runs unasked in the session, from the next call on. */
  changeMode(mode: PolicyMode, by: Peer): Promise<void>;
};

/** `seq`: up to the end of the turn which that entry is in. `before`: up to the turn which that entry is in. Without both: all of it. */
export type ForkOptions = { seq?: number | undefined; before?: number | undefined; title?: string };

export type Gateway = AsyncDisposable & {
  host: Host;
  /** False: all sessions are carried out by clients. */
  hasFiles: boolean;
  executors: Executors;
  /**
   * Opens or creates a session; throws PERMISSION_DENIED when it belongs to another user. `client`: a created session is carried out by a client
   * with that dialect's tools.
   */
  session(
    id: string,
    by: Peer,
    options?: { mustExist?: boolean; client?: DialectName },
  ): Promise<SharedSession>;
  /** Where another gateway listens that was seen to have the session; asks nobody, so it may be gone. */
  ownerElsewhere(id: string): Pick<SessionElsewhere, 'url' | 'gone'> | undefined;
  sessions(by: Peer): Promise<SessionSummary[]>;
  /** The session, if this gateway already uses it. */
  opened(id: string): Promise<SharedSession | undefined>;
  /** A new session that begins with the conversation of this one. */
  fork(id: string, by: Peer, options?: ForkOptions): Promise<SharedSession>;
  deleteSession(id: string, by: Peer): Promise<void>;
  /** Sessions in worktrees; the caller must check access to a session before naming it. */
  worktrees(): WorktreeSessions;
  /** The model for turns, by name or the configured one. */
  openModel(name?: string): Promise<Model>;
};

export type WorktreeSessions = {
  /** Makes the worktree and the session. */
  make(id: string, by: Peer, options: WorktreeWish): Promise<void>;
  state(id: string): Promise<PrintedState>;
  merge(id: string, by: Peer, options: MergeWish): Promise<MergedWorktree>;
  drop(id: string, by: Peer, options: DropWish): Promise<DroppedWorktree>;
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
