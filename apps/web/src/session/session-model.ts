// The model of a session on the screen. Containers grow in place; their values are never changed, only replaced, so that a component sees
// by identity whether its own part has changed.
import type {
  Actor,
  AgentStatus,
  ApprovalRequest,
  CallState,
  DecidedBy,
  Decision,
  Effect,
  ImagePart,
  Outcome,
  Plan,
  PolicyMode,
  QueuedMessage,
  Rule,
  TestCounts,
  ToolCall,
  TurnEnd,
  Verdict,
} from '@codelab/protocol';

/** An entry of the log; of another session where this one is a branch of it. */
export type LogPlace = { session: string; seq: number };

/** One line of the conversation, in the order of the log. */
export type Entry =
  | {
      kind: 'user';
      key: string;
      time: number;
      turn: number;
      text: string;
      files: string[];
      images?: readonly ImagePart[];
      model: string;
      profile: string;
      /** Where it stands in the log: a branch may begin before it. */
      at: LogPlace;
      /** Sent while the turn ran. */
      isSteering?: true;
    }
  | {
      kind: 'said';
      key: string;
      time: number;
      turn: number;
      text: string;
      reasoning: string;
      model: string;
      /** The reply was stopped or cut off; this is the part that had arrived. */
      isPartial?: true;
    }
  /** The turn continued without a new message. */
  | { kind: 'continued'; key: string; time: number; turn: number }
  | { kind: 'call'; key: string; callId: string }
  | {
      kind: 'ended';
      key: string;
      time: number;
      turn: number;
      end: TurnEnd;
      message: string;
      /** In a word why it failed; empty otherwise. */
      reason: string;
      durationMs: number;
      tokens: number;
      /** In US dollars; zero where it is not known. */
      cost: number;
    }
  | {
      kind: 'compacted';
      key: string;
      time: number;
      summary: string;
    }
  | { kind: 'rule'; key: string; time: number; rule: Rule; by: DecidedBy }
  | { kind: 'mode'; key: string; time: number; mode: PolicyMode; by: DecidedBy }
  /** A person's own terminal: `code` is missing while it is open, null where the shell had none. */
  | { kind: 'terminal'; key: string; time: number; who: string; code?: number | null }
  | { kind: 'context'; key: string; time: number; op: 'add_file' | 'remove_file' | 'clear'; path: string }
  /** Merged into that branch; without one, dropped. */
  | { kind: 'worktree'; key: string; time: number; branch: string; into: string | undefined }
  | { kind: 'switched'; key: string; time: number; to: string; reason: string }
  /** The messages before are in that session. */
  | { kind: 'forked'; key: string; time: number; from: LogPlace }
  | { kind: 'notice'; key: string; time: number; text: string };

export type UserEntry = Extract<Entry, { kind: 'user' }>;

/** A message or call of a sub-agent, shown inside the call that started it. */
export type SubAgentEntry =
  | { kind: 'said'; key: string; text: string }
  | { kind: 'call'; key: string; callId: string };

export type CallModel = {
  id: string;
  call: ToolCall;
  state: CallState['state'];
  /** The number of its first event in the log. */
  seq: number;
  receivedAt: number;
  /** Who asked: the peer who made the call, or who began its turn. */
  askedBy?: Actor;
  startedAt?: number;
  finishedAt?: number;
  plan?: Plan;
  verdict?: Verdict;
  approval?: ApprovalRequest;
  decision?: Decision;
  decidedBy?: DecidedBy;
  decidedAt?: number;
  outcome?: Outcome;
  /** The latest that was told while it ran. */
  progress?: Record<string, unknown>;
  /** The latest part of its output while it ran. */
  output?: string;
  inner: readonly SubAgentEntry[];
  /** An older call without what it was given and brought, and the tests that its output told of. The log has the rest. */
  lean?: { counts: TestCounts | undefined };
};

export type TurnModel = {
  turn: number;
  startedAt: number;
  startSeq: number;
  by?: Actor;
  endedAt?: number;
  end?: TurnEnd;
  tokens: number;
  cost: number;
};

export type TodoItem = {
  id: string;
  content: string;
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  priority: 'high' | 'medium' | 'low';
};

/** The effects of a call on files. */
type Touched = { callId: string; effects: readonly Effect[] };

/** `unpriced`: replies that used tokens of a model without a price; `cost` leaves them out. */
type Totals = {
  inputTokens: number;
  outputTokens: number;
  cost: number;
  hasCost: boolean;
  unpriced: number;
};

/** The reply as far as it is streamed; removed once the log has it. */
type Live = { text: string; reasoning: string };

type Retry = { attempt: number; afterMs: number; reason: string; time: number };

/** The git worktree that the session works in. */
type WorktreeModel = { path: string; branch: string; isDropped: boolean };

export type SessionModel = {
  id: string;
  title: string;
  workspace: string;
  /** Undefined: the session works in the workspace itself. */
  worktree: WorktreeModel | undefined;
  lastSeq: number;
  /** The profile that runs the next turn, as far as it is known. */
  profile: string;
  /** The session's own mode; undefined while nobody has chosen one. */
  mode: PolicyMode | undefined;
  model: string;
  status: AgentStatus;
  entries: Entry[];
  calls: Map<string, CallModel>;
  /** States as the protocol folds them; `calls` is what they show. */
  states: Map<string, CallState>;
  turns: TurnModel[];
  pending: readonly ApprovalRequest[];
  todos: readonly TodoItem[];
  contextFiles: readonly string[];
  /** Grows in place; its length tells whether files changed. */
  touched: Touched[];
  totals: Totals;
  /** How often a model has replied. */
  replies: number;
  /** Messages sent while the agent works, and not given to it yet. */
  queued: readonly QueuedMessage[];
  /** Ids of messages that the log has. */
  knownMessages: Set<string>;
  /** Where it branched off; undefined for one that begins by itself. */
  origin: LogPlace | undefined;
  live: Live | undefined;
  retry: Retry | undefined;
};

export function emptySession(id: string): SessionModel {
  return {
    id,
    title: '',
    workspace: '',
    worktree: undefined,
    lastSeq: 0,
    profile: '',
    mode: undefined,
    model: '',
    status: 'idle',
    entries: [],
    calls: new Map(),
    states: new Map(),
    turns: [],
    pending: [],
    todos: [],
    contextFiles: [],
    touched: [],
    replies: 0,
    totals: { inputTokens: 0, outputTokens: 0, cost: 0, hasCost: false, unpriced: 0 },
    queued: [],
    knownMessages: new Set(),
    origin: undefined,
    live: undefined,
    retry: undefined,
  };
}
