// From the pieces a human took to a decision: by number where they are whole hunks, else by the arguments that say the same.

import type { ApprovalRequest, Decision, DiffFile, DiffHunk } from '@codelab/protocol';
import type { Carry } from './carry-diff.ts';
import type { Piece } from './piece.ts';

type Review = { files: readonly DiffFile[]; taken: readonly Piece[]; carry: Carry | undefined };

/** Undefined when the files are no longer what was reviewed. */
export function reviewDecision(
  { plan }: ApprovalRequest,
  { files, taken, carry }: Review,
): Decision | undefined {
  if (taken.length === 0) {
    const canCancel = plan.question?.actions.includes('cancel') === true;
    return canCancel
      ? { kind: 'answer', action: 'cancel' }
      : { kind: 'reject', feedback: 'no hunk was taken' };
  }
  const take = [...new Set(taken.map(({ number }) => number))];
  const isWhole = take.every((number) => isWholeHunk(files, number, taken));
  if (isWhole) return { kind: 'hunks', take };
  const args = carry?.(leftOf(files, taken));
  return args && { kind: 'edit', args };
}

function isWholeHunk(files: readonly DiffFile[], number: number, taken: readonly Piece[]): boolean {
  const hunk = files.flatMap<DiffHunk | undefined>(({ hunks }) => (hunks.length === 0 ? [undefined] : hunks))[
    number - 1
  ];
  const lines = taken.filter((piece) => piece.number === number).flatMap((piece) => piece.hunk?.lines ?? []);
  return lines.join('\n') === (hunk?.lines.join('\n') ?? '');
}

/** A file of which nothing is taken is left out; its rename or new mode goes with any of its hunks. */
function leftOf(files: readonly DiffFile[], taken: readonly Piece[]): DiffFile[] {
  return files.flatMap((file) => {
    const own = taken.filter((piece) => piece.file === file);
    return own.length === 0 ? [] : [{ ...file, hunks: own.flatMap(({ hunk }) => hunk ?? []) }];
  });
}
