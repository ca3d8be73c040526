// The answers that a card takes, the keys for them, and the decision that is sent.
import type { ToolEntry } from '@codelab/api';
import { type ApprovalRequest, type Decision, visibleLine } from '@codelab/protocol';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { toastError } from '../../ui/toast.tsx';
import type { Readiness } from './card-focus.ts';

/** The state of a card: which answers it takes, which panel is open, and what a key or a button starts. */
export type Answering = {
  tool: ToolEntry | undefined;
  actions: readonly ApprovalAction[];
  open: 'edit' | 'reject' | 'always' | undefined;
  areDetailsOpen: boolean;
  showDetails(isOpen: boolean): void;
  isSending: boolean;
  decide: SendDecision;
  run(action: ApprovalAction): void;
  close(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
};

/** `onSend` is called when a decision goes out. No key decides before the card was `ready`. */
export function useAnswering(
  approval: ApprovalRequest,
  { wasReady }: Readiness,
  onSend: () => void,
): Answering {
  const tool = useTool(approval.tool);
  const { isSending, decide: send } = useDecide(approval);
  const decide: SendDecision = (decision) => {
    onSend();
    return send(decision);
  };
  const [open, setOpen] = useState<Answering['open']>();
  const [areDetailsOpen, showDetails] = useState(false);
  const actions = actionsFor(approval, tool);
  const run = (action: ApprovalAction): void => {
    if (action === 'approve') void decide({ kind: 'approve' });
    else if (action === 'review') openApprovalReview(approval);
    else if (action === 'reject' && approval.plan.question !== undefined) void decide({ kind: 'reject' });
    else setOpen(action);
  };
  return {
    tool,
    actions,
    open,
    areDetailsOpen,
    showDetails,
    isSending,
    decide,
    run,
    close: () => setOpen(undefined),
    onKeyDown(event) {
      if (isSending || open !== undefined || !isForCard(event)) return;
      const key = letterOf(event.nativeEvent);
      const action = key === undefined ? undefined : keys[key];
      if (key === 'd') showDetails(!areDetailsOpen);
      else if (action === undefined || !actions.includes(action)) return;
      // An answer that only opens a panel is harmless, also on a card that has just appeared.
      else if (!decidesAtOnce(action, approval) || wasReady(event.timeStamp)) run(action);
      event.preventDefault();
    },
  };
}

function decidesAtOnce(action: ApprovalAction, { plan }: ApprovalRequest): boolean {
  return action === 'approve' || (action === 'reject' && plan.question !== undefined);
}

/** Opens the review of an approval as a tab of the centre. */
export function openApprovalReview({ callId, plan }: ApprovalRequest): void {
  const [touch] = plan.touches;
  const name = plan.touches.length === 1 && touch !== undefined ? touch.path.replace(/^.*\//s, '') : '';
  showView('review', callId, visibleLine(name));
}

/** Which answers an approval takes, and the keys for them. They work only while the card itself has the focus. */
export type ApprovalAction = 'approve' | 'edit' | 'review' | 'reject' | 'always';

const keys: Readonly<Record<string, ApprovalAction>> = {
  a: 'approve',
  y: 'approve',
  e: 'edit',
  h: 'review',
  r: 'reject',
  n: 'reject',
  w: 'always',
};

/** Whether a key was pressed on the card itself: a dialog is inside of it for React only, and a field keeps what is typed. */
export function isForCard({ target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  return (
    target instanceof HTMLElement &&
    currentTarget.contains(target) &&
    target.closest('input, textarea, select, dialog') === null
  );
}

type Press = {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
};

/** In other alphabets the place of the key tells. A key that is held down decides nothing. */
export function letterOf(press: Press): string | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey || press.repeat) return undefined;
  return /^[a-z0-9]$/.test(press.key)
    ? press.key
    : /^(?:Key|Digit)([A-Z0-9])$/.exec(press.code)?.[1]?.toLowerCase();
}

function actionsFor(approval: ApprovalRequest, tool: ToolEntry | undefined): ApprovalAction[] {
  const review: ApprovalAction[] = canTakeHunks(approval, tool) ? ['review'] : [];
  if (approval.plan.question !== undefined) return [...review, 'reject'];
  return ['approve', 'reject', 'always', ...review, 'edit'];
}

/** A diff that is not all there can't be chosen from. */
export function canTakeHunks({ plan }: ApprovalRequest, tool: ToolEntry | undefined): boolean {
  const { diff, question } = plan;
  if (diff === undefined || diff.truncated || diff.text === '') return false;
  return question !== undefined || tool?.takes_hunks === true;
}

// Sends one decision. The controls stay still from then on: it is the log that says what became of it.

/** True when the gateway took the decision. */
export type SendDecision = (decision: Decision) => Promise<boolean>;

export function useDecide(approval: ApprovalRequest): { isSending: boolean; decide: SendDecision } {
  const [isSending, setIsSending] = useState(false);
  const decide: SendDecision = async (decision) => {
    setIsSending(true);
    try {
      await api.decide(approval.session, approval.id, decision, approval.binding);
      return true;
    } catch (error) {
      toastError(error);
      setIsSending(false);
      return false;
    }
  };
  return { isSending, decide };
}

/** The gateway's description of a tool: its schema, and whether hunks can be selected. All tools are read once. */
let toolRequest: Promise<ReadonlyMap<string, ToolEntry>> | undefined;

/** Undefined while it is not known, and for tools the gateway does not list, such as those of others. */
export function useTool(name: string): ToolEntry | undefined {
  const [tool, setTool] = useState<ToolEntry | undefined>();
  useEffect(() => {
    let isWanted = true;
    void allTools().then((tools) => isWanted && setTool(tools.get(name)));
    return () => {
      isWanted = false;
    };
  }, [name]);
  return tool;
}

async function allTools(): Promise<ReadonlyMap<string, ToolEntry>> {
  toolRequest ??= api.catalogue.tools().then(({ tools }) => new Map(tools.map((tool) => [tool.name, tool])));
  try {
    return await toolRequest;
  } catch {
    // Without the description the form is simpler; the next card reads it again.
    toolRequest = undefined;
    return new Map();
  }
}
