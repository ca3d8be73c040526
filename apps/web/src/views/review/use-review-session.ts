// All that happens in one review: its pieces, where one is, what one does with them, and the decision that comes of it.

import { type ApprovalRequest, canSplit, type DiffHunk } from '@codelab/protocol';
import { useState } from 'react';
import type { ToolLine } from '../../api/workbench.ts';
import { currentText } from '../../text/use-text.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { canTakeHunks } from '../approval/approval-keys.ts';
import type { Decide } from '../approval/use-decide.ts';
import { carryArgs } from './carry-args.ts';
import { type Carry, reviewDecision } from './review-decision.ts';
import { edit, type Piece, type ReviewState, restore, split, take, toggle } from './review-state.ts';
import { keepReview, useReview } from './review-store.ts';

export type ReviewSession = {
  state: ReviewState;
  /** The piece one is at. */
  at: Piece | undefined;
  editing: Piece | undefined;
  /** Whether hunks can be chosen, and whether parts of them can. */
  canChoose: boolean;
  canChange: boolean;
  go(piece: Piece): void;
  step(by: number): Piece | undefined;
  toggle(piece: Piece): void;
  take(isTaken: boolean, file?: number): void;
  split(piece: Piece): void;
  restore(piece: Piece): void;
  beginEdit(piece: Piece | undefined): void;
  edit(piece: Piece, hunk: DiffHunk): void;
  apply(feedback: string): Promise<void>;
};

type Options = { tool: ToolLine | undefined; isWaiting: boolean; decide: Decide };

export function useReviewSession(approval: ApprovalRequest, options: Options): ReviewSession {
  const { id, plan } = approval;
  const state = useReview(id, plan.diff?.text ?? '');
  const [atKey, setAtKey] = useState('');
  const [editing, setEditing] = useState<Piece | undefined>();
  const canChoose =
    options.isWaiting && canTakeHunks(approval, options.tool) && state.total === plan.diff?.hunks;
  const carry = canChoose ? carryArgs(approval, options.tool, state.files) : undefined;
  const at = state.pieces.find(({ key }) => key === atKey) ?? state.pieces[0];
  const change = (step: (state: ReviewState) => ReviewState): void => {
    if (canChoose) keepReview(id, step(state));
  };
  return {
    state,
    at,
    editing,
    canChoose,
    canChange: carry !== undefined,
    go: ({ key }) => setAtKey(key),
    step(by) {
      const place = at === undefined ? -1 : state.pieces.indexOf(at);
      const next = state.pieces[Math.min(state.pieces.length - 1, Math.max(0, place + by))];
      if (next !== undefined) setAtKey(next.key);
      return next;
    },
    toggle: ({ key }) => change((before) => toggle(before, key)),
    take: (isTaken, file) => change((before) => take(before, isTaken, file)),
    split(piece) {
      if (carry === undefined || piece.hunk === undefined || !canSplit(piece.hunk)) return;
      change((before) => split(before, piece.key));
      setAtKey(`${piece.key}.1`);
    },
    restore(piece) {
      change((before) => restore(before, piece.number));
      setAtKey(`${piece.number}`);
    },
    beginEdit: (piece) => setEditing(piece === undefined || carry === undefined ? undefined : piece),
    edit: (piece, hunk) => change((before) => edit(before, piece.key, hunk)),
    apply: (feedback) =>
      canChoose ? apply(approval, { state, carry, feedback }, options.decide) : Promise.resolve(),
  };
}

type Chosen = { state: ReviewState; carry: Carry | undefined; feedback: string };

async function apply(approval: ApprovalRequest, { state, ...how }: Chosen, decide: Decide): Promise<void> {
  try {
    const decision = await reviewDecision(approval, state, how);
    if (decision === undefined) toast(currentText().review.stale, { tone: 'bad' });
    else await decide(decision);
  } catch (error) {
    toastError(error);
  }
}
