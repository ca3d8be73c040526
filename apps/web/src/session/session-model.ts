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
  ToolCall,
  TurnEnd,
  Verdict,
} from '@codelab/protocol';

/** An entry of the log; of another session where this one is a branch of it. */
export type LogPlace = { session: string; seq: number };

/** Where a section of the conversation begins in the log and what held there: enough to read it again without what is before. */
export type SectionStart = {
  session: string;
  since: number;
  turn: TurnModel | undefined;
  profile: string;
  model: string;
  worktree: WorktreeModel | undefined;
  /** Of the keys of its entries, where another session begins with them. */
  prefix: string;
  /** How high its rows were when they were last shown. */
  heights?: readonly number[];
};

/** One line of the conversation, in the order of the log. The first one of each section says that it is. */
export type Entry = EntryKind & { begins?: SectionStart };

type EntryKind =
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
      /** The message that it answers. */
      question?: LogPlace;
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
      /** In a word why it failed, and the error code; empty otherwise. */
      reason: string;
      code: string;
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
  /** The messages before are in that session; `after` is the latest of them. */
  | { kind: 'forked'; key: string; time: number; from: LogPlace; after: string | undefined }
  | { kind: 'notice'; key: string; time: number; text: string }
  /** In place of a section that was unloaded: `count` entries, of events up to `until`, and by their places the others, which the log does not have. */
  | {
      kind: 'unloaded';
      key: string;
      begins: SectionStart;
      until: number;
      count: number;
      others: readonly (readonly [at: number, entry: Entry])[];
    };

export type UserEntry = Extract<Entry, { kind: 'user' }>;
export type UnloadedEntry = Extract<Entry, { kind: 'unloaded' }>;

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
  /** The number of its last event in the log, once it has ended. */
  endSeq?: number;
  inner: readonly SubAgentEntry[];
};

export type TurnModel = {
  turn: number;
  startedAt: number;
  startSeq: number;
  question?: LogPlace;
  by?: Actor;
  endedAt?: number;
  end?: TurnEnd;
  tokens: number;
  cost: number;
};

/** `ended`: how many have; `lastEnded`: the number of the latest of them, 0 before the first. */
type Turns = { count: number; ended: number; lastEnded: number; latest: TurnModel | undefined };

export type TodoItem = {
  id: string;
  content: string;
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  priority: 'high' | 'medium' | 'low';
};

/** The effects of a call on files, and how many lines its diff adds and removes. */
export type Touched = {
  tool: string;
  turn: number | undefined;
  effects: readonly Effect[];
  diff: { additions: number; deletions: number } | undefined;
};

/** What the calls of a turn removed or changed for good. */
type Losses = { session: string; turn: number | undefined; notes: readonly string[] };

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
  /** Older sections are unloaded while nobody looks at them, with their calls. */
  entries: Entry[];
  calls: Map<string, CallModel>;
  /** States as the protocol folds them; `calls` is what they show. */
  states: Map<string, CallState>;
  turns: Turns;
  pending: readonly ApprovalRequest[];
  todos: readonly TodoItem[];
  contextFiles: readonly string[];
  /** Grows in place; its length tells whether files changed. */
  touched: Touched[];
  losses: Losses[];
  totals: Totals;
  /** How often a model has replied. */
  replies: number;
  /** Messages sent while the agent works, and not given to it yet. */
  queued: readonly QueuedMessage[];
  /** Ids of messages that the log has. */
  knownMessages: Set<string>;
  /** What the person sent, in this order. */
  sentTexts: string[];
  /** The keys of this session's own first message, and of the latest one. */
  firstMessage: string | undefined;
  latestMessage: string | undefined;
  /** Where it branched off; undefined for one that begins by itself. */
  origin: LogPlace | undefined;
  live: Live | undefined;
  retry: Retry | undefined;
};
