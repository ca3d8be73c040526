// What a card is about to answer: which answers it takes, what is open, and what a key or a button starts.
import type { ToolEntry } from '@codelab/api';
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { type KeyboardEvent, useState } from 'react';
import { showView } from '../../layout/show-view.ts';
import { type ApprovalAction, actionFor, actionsFor } from './approval-keys.ts';
import { type Decide, useDecide } from './use-decide.ts';
import { useTool } from './use-tool.ts';

export type Answering = {
  tool: ToolEntry | undefined;
  actions: readonly ApprovalAction[];
  open: 'edit' | 'reject' | 'always' | undefined;
  isSending: boolean;
  decide: Decide;
  run(action: ApprovalAction): void;
  close(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
};

/** `onSend` is called when a decision goes out. */
export function useAnswering(approval: ApprovalRequest, onSend: () => void): Answering {
  const tool = useTool(approval.tool);
  const { isSending, decide: send } = useDecide(approval);
  const decide: Decide = (decision) => {
    onSend();
    return send(decision);
  };
  const [open, setOpen] = useState<Answering['open']>();
  const actions = actionsFor(approval, tool);
  const run = (action: ApprovalAction): void => {
    if (action === 'approve') void decide({ kind: 'approve' });
    else if (action === 'review') openReview(approval);
    else if (action === 'reject' && approval.plan.question !== undefined) void decide({ kind: 'reject' });
    else setOpen(action);
  };
  return {
    tool,
    actions,
    open,
    isSending,
    decide,
    run,
    close: () => setOpen(undefined),
    onKeyDown(event) {
      // A dialog is inside the card for React only; what is typed there is its own.
      const { target, currentTarget, nativeEvent } = event;
      if (isSending || open !== undefined || !(target instanceof HTMLElement)) return;
      if (!currentTarget.contains(target) || target.closest('input, textarea, select, dialog') !== null)
        return;
      const action = actionFor(nativeEvent);
      if (action === undefined || !actions.includes(action)) return;
      event.preventDefault();
      run(action);
    },
  };
}

/** Opens the review of an approval as a tab of the centre. */
export function openReview({ callId, plan }: ApprovalRequest): void {
  const [touch] = plan.touches;
  const name = plan.touches.length === 1 && touch !== undefined ? touch.path.replace(/^.*\//s, '') : '';
  showView('review', callId, visibleLine(name));
}
