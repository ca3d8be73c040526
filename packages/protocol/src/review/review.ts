// The review of a diff as a value: its files, and the items a human decides about one by one. Each step gives a new review, and `reviewDecision` its
// decision. The terminal and the page both use it.
import type { Decision, HunkEdit } from '../decision.ts';
import { canSplit, splitHunk } from '../diff/split-hunk.ts';
import { type DiffFile, type DiffHunk, hunkSides, readDiff } from '../diff/unified-diff.ts';
import type { Plan } from '../plan.ts';

/** A unit of decision: a hunk, a part of one, or a file that changes without hunks. */
export type ReviewItem = {
  key: string;
  /** The index of the item's file. */
  file: number;
  /** The number of the whole hunk in the diff, from 1 across files. */
  number: number;
  hunk: DiffHunk | undefined;
  isTaken: boolean;
  isPart: boolean;
  isEdited: boolean;
};

export type Review = {
  files: readonly DiffFile[];
  items: readonly ReviewItem[];
  /** The number of hunks that the diff had when it was shown. */
  total: number;
};

export function startReview(diff: string, isTaken = true): Review {
  const files = readDiff(diff);
  const items = files
    .flatMap((file, at) => hunksOf(file).map((hunk) => ({ file: at, hunk })))
    .map(({ file, hunk }, i): ReviewItem => {
      const number = i + 1;
      return { key: `${number}`, file, number, hunk, isTaken, isPart: false, isEdited: false };
    });
  return { files, items, total: items.length };
}

/** Takes or leaves the items that `which` picks; all of them without it. */
export function setTaken(
  review: Review,
  isTaken: boolean,
  isSelected: (item: ReviewItem) => boolean = () => true,
): Review {
  return mapItems(review, (item) => (isSelected(item) ? { ...item, isTaken } : item));
}

export function toggleTaken(review: Review, key: string): Review {
  return mapItems(review, (item) => (item.key === key ? { ...item, isTaken: !item.isTaken } : item));
}

export function splitItem(review: Review, key: string): Review {
  const items = review.items.flatMap((item) => {
    if (item.key !== key || !canSplitItem(item)) return [item];
    return splitHunk(item.hunk).map((hunk, i) => ({ ...item, key: `${key}.${i + 1}`, hunk, isPart: true }));
  });
  return { ...review, items };
}

export function canSplitItem(item: ReviewItem): item is ReviewItem & { hunk: DiffHunk } {
  return item.hunk !== undefined && canSplit(item.hunk);
}

/** Editing an item also accepts it. */
export function editItem(review: Review, key: string, hunk: DiffHunk): Review {
  return mapItems(review, (item) =>
    item.key === key ? { ...item, hunk, isTaken: true, isEdited: true } : item,
  );
}

/** Undoes every split and edit of a hunk, and takes it. */
export function restoreHunk(review: Review, number: number): Review {
  const [first] = review.items.filter((item) => item.number === number);
  const items = review.items.flatMap((item) => {
    if (item.number !== number) return [item];
    if (item !== first) return [];
    const hunk = wholeHunks(review)[number - 1];
    return [{ ...item, key: `${number}`, hunk, isTaken: true, isPart: false, isEdited: false }];
  });
  return { ...review, items };
}

export function isFileTaken({ items }: Review, file: number): boolean | 'mixed' {
  const ofFile = items.filter((item) => item.file === file);
  const takenCount = ofFile.filter(({ isTaken }) => isTaken).length;
  return takenCount === 0 ? false : takenCount === ofFile.length ? true : 'mixed';
}

/** The number of accepted hunks, whole or in part. */
export function countTaken({ items }: Review): number {
  return new Set(items.filter(({ isTaken }) => isTaken).map(({ number }) => number)).size;
}

export function reviewDecision(
  review: Review,
  { question }: Pick<Plan, 'question'>,
  feedback = '',
): Decision {
  const { take, edits } = reviewChoice(review);
  if (take.length === 0) {
    if (question?.actions.includes('cancel') && feedback === '') return { kind: 'answer', action: 'cancel' };
    return { kind: 'reject', feedback: feedback === '' ? 'no hunk was taken' : feedback };
  }
  const isAll = take.length === review.total && edits.length === 0;
  if (isAll && feedback === '' && question === undefined) return { kind: 'approve' };
  return {
    kind: 'hunks',
    take,
    ...(edits.length > 0 && { edits }),
    ...(feedback !== '' && { feedback }),
  };
}

/** The accepted hunks, whole or in part, and the text of edited ones. */
export function reviewChoice(review: Review): { take: number[]; edits: HunkEdit[] } {
  const take: number[] = [];
  const edits: HunkEdit[] = [];
  const hunks = wholeHunks(review);
  for (const [number, items] of Map.groupBy(review.items, (item) => item.number)) {
    if (!items.some(({ isTaken }) => isTaken)) continue;
    const sides = hunkSides(hunks[number - 1]?.lines ?? []);
    const text = items.map(textOf).join('');
    // A hunk edited back to the old text is not accepted; a file without hunks has no text to compare.
    if (items[0]?.hunk !== undefined && text === sides.before.join('')) continue;
    take.push(number);
    if (text !== sides.after.join('')) edits.push({ hunk: number, text });
  }
  return { take, edits };
}

/** The text in the file at the item's place, once the item is decided. */
function textOf({ hunk, isTaken }: ReviewItem): string {
  const { before, after } = hunkSides(hunk?.lines ?? []);
  return (isTaken ? after : before).join('');
}

function wholeHunks({ files }: Review): readonly (DiffHunk | undefined)[] {
  return files.flatMap(hunksOf);
}

/** A file without hunks, such as a mere rename, counts as one. */
export function hunksOf({ hunks }: DiffFile): readonly (DiffHunk | undefined)[] {
  return hunks.length === 0 ? [undefined] : hunks;
}

function mapItems(review: Review, map: (item: ReviewItem) => ReviewItem): Review {
  return { ...review, items: review.items.map(map) };
}
