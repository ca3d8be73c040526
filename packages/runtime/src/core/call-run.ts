// One call on its way through the steps: the input of every step and what the steps pass to each other.
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

/** The input of parse, plan and judge, which read the session and never write to it. */
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
  /** Undefined where approvals are answered only elsewhere. */
  answer: AnswerApproval | undefined;
  /** Resolves when the answering function of this process has returned, and never rejects. */
  answering?: Promise<unknown>;
  unrecorded: EventBody[];
  /** Work to do once the outcome is in the log. */
  afterRecord: (() => void)[];
  changedBy: ChangedBy | undefined;
  /** The human's agreement through an edit of the call. */
  consent: Consent | undefined;
};

/**
 * Presents an approval in this process; the same approval may also be decided elsewhere. Returns once it is decided, or once `signal`
 * aborts because nothing is left to decide. A failure ends the call.
 */
export type AnswerApproval = (approval: ApprovalRequest, signal: AbortSignal) => Promise<void>;

/** A human edited the call, or took some of its hunks. */
type ChangedBy = { kind: 'edit' | 'hunks'; args: ToolArguments; feedback?: string };

/** The approved risk and basis, with the arguments that the human was shown. */
type Consent = { risk: Risk; basis: Plan['basis']; shown: ToolArguments };

export type JudgedCall = {
  tool: Tool;
  args: ToolArguments;
  input: unknown;
  planned: PlannedCall;
  verdict: Verdict;
};

/** The judge step needs the parse and plan steps, so the module that knows their order creates it. */
export type JudgeStep = (
  view: CallScope,
  subject: Pick<JudgedCall, 'tool' | 'args' | 'planned'>,
) => Promise<Verdict>;

/** A call that may run; `answer` is the human's choice, for tools that ask. */
export type ReadyCall = JudgedCall & { wasAsked: boolean; answer?: string; choice?: HunkChoice };

/** The call must be planned and judged again: its arguments were edited, or files it touches have changed. */
export type PlanAgain = { again: ToolArguments; why: string | undefined };

/** The subject of an approval. */
export type ApprovalSubject = { call: ToolCall; tool: Tool; args: ToolArguments; plan: Plan };
