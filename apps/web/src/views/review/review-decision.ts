// From the pieces a human took to a decision: all of it, whole hunks by number, else the arguments that say the same.

import type { ApprovalRequest, Decision, DiffFile } from '@codelab/protocol';
import { type Piece, type ReviewState, wholeHunks } from './review-state.ts';

type Args = Record<string, unknown>;

/** The arguments with which the call does only what is left; undefined when the files are no longer what was reviewed. */
export type Carry = (left: readonly DiffFile[]) => Promise<Args | undefined>;

export async function reviewDecision(
  { plan }: ApprovalRequest,
  state: ReviewState,
  { carry, feedback }: { carry: Carry | undefined; feedback: string },
): Promise<Decision | undefined> {
  const taken = state.pieces.filter(({ isTaken }) => isTaken);
  const said = feedback === '' ? {} : { feedback };
  if (taken.length === 0) {
    const canCancel = plan.question?.actions.includes('cancel') === true && feedback === '';
    if (canCancel) return { kind: 'answer', action: 'cancel' };
    return { kind: 'reject', feedback: feedback === '' ? 'no hunk was taken' : feedback };
  }
  const numbers = [...new Set(taken.map(({ number }) => number))];
  if (numbers.every((number) => isWhole(state, number, taken))) {
    const isAll = numbers.length === state.total && feedback === '' && plan.question === undefined;
    return isAll ? { kind: 'approve' } : { kind: 'hunks', take: numbers, ...said };
  }
  const args = await carry?.(leftOf(state, taken));
  return args && { kind: 'edit', args, ...said };
}

/** All pieces of a hunk, one after the other, are the hunk. */
function isWhole({ files }: ReviewState, number: number, taken: readonly Piece[]): boolean {
  const hunk = wholeHunks(files)[number - 1];
  const lines = taken.filter((piece) => piece.number === number).flatMap((piece) => piece.hunk?.lines ?? []);
  return lines.join('\n') === (hunk?.lines.join('\n') ?? '');
}

/** A file of which nothing is taken is left out; its rename or new mode goes with any of its hunks. */
function leftOf({ files }: ReviewState, taken: readonly Piece[]): DiffFile[] {
  return files.flatMap((file, at) => {
    const own = taken.filter((piece) => piece.file === at);
    return own.length === 0 ? [] : [{ ...file, hunks: own.flatMap(({ hunk }) => hunk ?? []) }];
  });
}
