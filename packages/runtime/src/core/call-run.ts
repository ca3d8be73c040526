// One call on its way through the steps: what every step is given, and what the steps hand to each other.
import type {
  ApprovalRequest,
  EventBody,
  HunkChoice,
  Limits,
  Plan,
  Risk,
  ToolCall,
  Verdict,
} from '@codelab/protocol';
import type { PlannedCall, Tool } from '../tool/define-tool.ts';
import type { Profile } from '../tool/profile.ts';
import type { Host } from './host.ts';
import type { LiveSession } from './session/live-session.ts';

export type ToolArguments = Record<string, unknown>;

/** What parse, plan and judge need. They read the session and never write to it. */
export type CallScope = {
  host: Host;
  call: Pick<ToolCall, 'tool' | 'args' | 'requiresApproval'>;
  session: Pick<
    LiveSession,
    'id' | 'mode' | 'rules' | 'seen' | 'latest' | 'outcome' | 'unsavedTexts' | 'isElsewhere'
  >;
  limits: Limits;
  signal: AbortSignal;
  roles: readonly Profile[];
};

/** A recorded call. `unrecorded` are its events that have not reached the log yet. */
export type CallRun = CallScope & {
  call: ToolCall;
  session: LiveSession;
  startedAt: number;
  /** Undefined where approvals are answered elsewhere alone. */
  answer: AnswerApproval | undefined;
  /** Resolves when whoever answers here has ended. */
  answering: Promise<unknown>;
  unrecorded: EventBody[];
  /** Work for when the outcome is in the log. */
  afterRecord: (() => void)[];
  changedBy: ChangedBy | undefined;
  /** What a human has agreed to by editing the call. */
  consent: Consent | undefined;
};

/**
 * Puts an approval to somebody here; the same approval may also be decided elsewhere. Returns once it has decided, or once `signal` says that
 * nothing is left to decide. A failure ends the call.
 */
export type AnswerApproval = (approval: ApprovalRequest, signal: AbortSignal) => Promise<void>;

/** A human edited the call, or took some of its hunks. */
type ChangedBy = { kind: 'edit' | 'hunks'; args: ToolArguments; feedback?: string };

/** Up to which risk, and on what basis; the arguments are those that the human was shown. */
type Consent = { risk: Risk; basis: Plan['basis']; shown: ToolArguments };

export type JudgedCall = {
  tool: Tool;
  args: ToolArguments;
  input: unknown;
  planned: PlannedCall;
  verdict: Verdict;
};

/** Parse and plan come before it, so it is made where the order of the steps is known. */
export type JudgeStep = (
  view: CallScope,
  subject: Pick<JudgedCall, 'tool' | 'args' | 'planned'>,
) => Promise<Verdict>;

/** May run; `answer` is what a human chose, for tools that ask. */
export type ReadyCall = JudgedCall & { wasAsked: boolean; answer?: string; choice?: HunkChoice };

/** Has to be planned and judged again: with other arguments, or because what it touches has changed. */
export type PlanAgain = { again: ToolArguments; why: string | undefined };

/** What an approval is about. */
export type ApprovalSubject = { call: ToolCall; tool: Tool; args: ToolArguments; plan: Plan };
