// A review as an immutable value: the present files and hunks, with a person's picks, viewed marks and comments. Each step returns a new
// one.

import {
  countFiles,
  type DiffFile,
  editItem,
  hunksOf,
  type Review,
  type ReviewItem,
  readDiff,
  reviewChoice,
  rewriteHunk,
  setTaken,
} from '@codelab/protocol';
import type { StoredReviewDraft } from '@codelab/runtime';
import type { LoadedReview, ReviewedFileState } from './review-source.ts';

export type ReviewProgress = {
  found: LoadedReview;
  /** A taken item is kept, any other is discarded. Items are in the order of the files. */
  picks: Review;
  viewed: ReadonlySet<string>;
  comments: StoredReviewDraft['comments'];
};

/** Restores the state that the draft holds. */
export function resumeReview(loaded: LoadedReview): ReviewProgress {
  const files = loaded.files.map(diffOf);
  const items = files
    .flatMap((file, at) => hunksOf(file).map((hunk) => ({ file: at, hunk })))
    .map(({ file, hunk }, i): ReviewItem => {
      const number = i + 1;
      return { key: `${number}`, file, number, hunk, isTaken: true, isPart: false, isEdited: false };
    });
  const numbers = new Map(idsOf(loaded).map((id, i) => [id, i + 1]));
  const discarded = new Set(loaded.draft.discard.map((id) => numbers.get(id)));
  const unpicked: Review = { files, items, total: items.length };
  const picked = setTaken(unpicked, false, ({ number }) => discarded.has(number));
  const picks = loaded.draft.edits.reduce((review, { hunk: id, text }) => {
    const item = review.items.find(({ number }) => number === numbers.get(id));
    return item?.hunk ? editItem(review, item.key, rewriteHunk(item.hunk, text)) : review;
  }, picked);
  const viewed = new Set(loaded.files.filter((file) => file.viewed).map(({ path }) => path));
  return { found: loaded, picks, viewed, comments: loaded.draft.comments };
}

// The engine's list of hunks decides: a diff that was cut, or has no hunks, is one item.
function diffOf({ diff, hunks }: ReviewedFileState): DiffFile {
  const [file] = readDiff(diff);
  return file?.hunks.length === hunks.length ? file : { header: file?.header ?? [], hunks: [] };
}

function idsOf({ files }: LoadedReview): string[] {
  return files.flatMap(({ hunks }) => hunks.map(({ id }) => id));
}

/** The part of the review that is saved on disk, and that a discard is made from. */
export function reviewDraft({ found, picks, viewed, comments }: ReviewProgress): StoredReviewDraft {
  const ids = idsOf(found);
  const idOf = (number: number): string => ids[number - 1] ?? '';
  const { take, edits } = reviewChoice(picks);
  const takenNumbers = new Set(take);
  return {
    viewed: found.files.filter(({ path }) => viewed.has(path)).map(({ path, digest }) => `${path}@${digest}`),
    discard: ids.filter((_id, i) => !takenNumbers.has(i + 1)),
    edits: edits.map(({ hunk, text }) => ({ hunk: idOf(hunk), text })),
    comments: [...comments],
  };
}

/** Files on the screen that are not viewed; the drafts of other reviews do not count. */
export function unviewedIn({ found, viewed }: ReviewProgress): string[] {
  return found.files.filter(({ path }) => !viewed.has(path)).map(({ path, digest }) => `${path}@${digest}`);
}

export function isFileViewed({ found, viewed }: ReviewProgress, file: number): boolean {
  return viewed.has(found.files[file]?.path ?? '');
}

export function markViewed(state: ReviewProgress, file: number, isViewed = true): ReviewProgress {
  const path = state.found.files[file]?.path ?? '';
  const others = [...state.viewed].filter((viewedPath) => viewedPath !== path);
  return { ...state, viewed: new Set(isViewed ? [...others, path] : others) };
}

export type ChangeTotals = { files: number; added: number; removed: number };

/** Every screen that says how much a turn or a session has changed counts here. */
export function changeTotals(files: readonly ReviewedFileState[]): ChangeTotals {
  return {
    files: countFiles(files),
    added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
  };
}

export type ReviewCounts = ChangeTotals & {
  viewed: number;
  hunks: number;
  /** Hunks that are discarded as a whole, and hunks of which only a part is kept. */
  discarded: number;
  changed: number;
  comments: number;
  /** Files that a commit would have after the discards. */
  committed: number;
};

export function countReview(state: ReviewProgress): ReviewCounts {
  const { files } = state.found;
  const { discard, edits } = reviewDraft(state);
  return {
    ...changeTotals(files),
    viewed: countFiles(files.filter((_file, at) => isFileViewed(state, at))),
    hunks: state.picks.total,
    discarded: discard.length,
    changed: edits.length,
    comments: state.comments.length,
    committed: keptPaths(state.found, new Set(discard)).length,
  };
}

/** The paths to commit, without those of files that are discarded as a whole. */
function keptPaths({ files, commit }: LoadedReview, discarded: ReadonlySet<string>): string[] {
  const discardedFiles = files.filter(
    ({ hunks }) => hunks.length > 0 && hunks.every(({ id }) => discarded.has(id)),
  );
  const paths = new Set(
    discardedFiles.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
  );
  return (commit?.paths ?? []).filter((path) => !paths.has(path));
}
