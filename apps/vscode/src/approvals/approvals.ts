// The pending approvals of this window: shown in the view, answered there or by a command, each once.
import type { AskUser, ToolApprovalRequest, UserDecision } from '@codelab/client';
import type { ProposedChange } from '@codelab/client/node';
import { chosenText, Risk, ToolError, writeDiff } from '@codelab/protocol';
import type { ApprovalView } from '../view/messages.ts';

type Waiting = {
  view: ApprovalView;
  change: ProposedChange | undefined;
  args: Record<string, unknown>;
  answer(decision: UserDecision): void;
};

export type Approvals = {
  readonly views: readonly ApprovalView[];
  readonly first: ApprovalView | undefined;
  ask: AskUser;
  /** With `hunks`, only these hunks of a change, counted from 1. False when no pending approval has this key. */
  approve(key: string, hunks?: readonly number[]): boolean;
  reject(key: string, reason: string): boolean;
  change(key: string): ProposedChange | undefined;
  /** The text of a file as it was shown with the approval. */
  shown(callId: string): { before: string | null } | undefined;
};

type Options = {
  /** The longest time that an approval waits. */
  approvalMs(): number;
  propose(args: Record<string, unknown>): Promise<ProposedChange>;
  onChange(): void;
  onAsked(view: ApprovalView): void;
  /** Runs before a call continues, for example to close an editor that shows the file it writes. */
  beforeAnswer(key: string): Promise<void>;
};

const keptShown = 1000;

export function createApprovals(options: Options): Approvals {
  const waiting = new Map<string, Waiting>();
  const shownChanges = new Map<string, { before: string | null }>();

  async function ask(request: ToolApprovalRequest, signal: AbortSignal): Promise<UserDecision> {
    const key = request.tool_id;
    const askedAt = Date.now();
    const change = await proposedBy(request, options.propose);
    if (change !== undefined) shownChanges.set(key, { before: change.before });
    if (shownChanges.size > keptShown) shownChanges.delete(shownChanges.keys().next().value ?? '');
    const ms = Math.min(options.approvalMs(), (request.timeout_seconds ?? Number.POSITIVE_INFINITY) * 1000);
    const view = viewOf(request, change, askedAt + ms);
    const { promise, resolve } = Promise.withResolvers<UserDecision>();
    if (!signal.aborted) waiting.set(key, { view, change, args: request.args, answer: resolve });
    signal.addEventListener('abort', () => {
      if (waiting.delete(key)) options.onChange();
    });
    options.onChange();
    options.onAsked(view);
    return await promise;
  }

  function answer(key: string, decide: (waiting: Waiting) => UserDecision): boolean {
    const found = waiting.get(key);
    if (found === undefined || found.view.isSending) return false;
    const decision = decide(found);
    // The approval stays in the list until the handler has closed it; until then nobody can answer again.
    waiting.set(key, { ...found, view: { ...found.view, isSending: true } });
    options.onChange();
    void options.beforeAnswer(key).finally(() => found.answer(decision));
    return true;
  }

  return {
    get views() {
      return [...waiting.values()].map(({ view }) => view);
    },
    get first() {
      return [...waiting.values()].find(({ view }) => !view.isSending)?.view;
    },
    ask,
    approve: (key, hunks) => answer(key, (waiting) => approval(waiting, hunks)),
    reject: (key, reason) => answer(key, () => ({ approved: false, reason })),
    change: (key) => waiting.get(key)?.change,
    shown: (callId) => shownChanges.get(callId),
  };
}

function approval({ change, args }: Waiting, hunks: readonly number[] | undefined): UserDecision {
  if (change === undefined || hunks === undefined || hunks.length === change.hunks.length)
    return { approved: true };
  if (hunks.length === 0) return { approved: false, reason: 'None of the changes was chosen.' };
  const content = chosenText(change.before ?? '', change.hunks, { take: [...hunks] });
  return { approved: true, modifiedArgs: { ...args, content } };
}

/** Undefined for a call that writes no file, and where the change can't be shown: the call itself reports why. */
async function proposedBy(
  { tool_name, args }: ToolApprovalRequest,
  propose: Options['propose'],
): Promise<ProposedChange | undefined> {
  if (tool_name !== 'write_file') return undefined;
  try {
    return await propose(args);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function viewOf(
  request: ToolApprovalRequest,
  change: ProposedChange | undefined,
  deadline: number,
): ApprovalView {
  const { tool_id: key, tool_name: tool, args, risk_level, description = '' } = request;
  const risk = Risk().safeParse(risk_level);
  const { command } = args;
  const words = Array.isArray(args.args) ? args.args.map(String) : [];
  return {
    key,
    tool,
    args,
    risk: risk.success ? risk.data : 'high',
    description,
    deadline,
    ...(typeof command === 'string' && { command: [command, ...words].map(quoted).join(' ') }),
    ...(change && { change: shownChange(change) }),
    isSending: false,
  };
}

function shownChange({ path, before, hunks }: ProposedChange): NonNullable<ApprovalView['change']> {
  const header = [`--- ${before === null ? '/dev/null' : `a/${path}`}`, `+++ b/${path}`];
  const plainHunks = hunks.map((hunk) => ({ ...hunk, section: '' }));
  return {
    path,
    isNew: before === null,
    diff: writeDiff([{ header, hunks: plainHunks }]),
    hunks: hunks.length,
  };
}

/** Quotes arguments, so that a space within an argument differs from one between two. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
