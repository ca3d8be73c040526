// A person's picks, edits, comments and viewed marks of a review: a private file per session, written atomically, so that it survives a
// reload and a restart. It is not part of the record.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFolder } from '../platform/database-lock.ts';
import { randomId } from '../platform/digest.ts';
import type { ReviewScope } from './find-calls.ts';
import { reviewFolder } from './keep-versions.ts';
import type { HunkText, ReviewedChanges, ReviewedFile } from './review-files.ts';

type Comment = { id: string; path: string; line: number; side: 'old' | 'new'; text: string };

/** `viewed` is `path@digest`; `discard` and `edits` name hunks by their ids. */
export type StoredReviewDraft = {
  viewed: string[];
  discard: string[];
  edits: HunkText[];
  comments: Comment[];
};

type Drafts = Record<string, StoredReviewDraft>;

const mostDrafts = 200;

/** The part of the draft that applies to the current review. */
export function readReviewDraft(
  home: string,
  scope: ReviewScope,
  { files }: Pick<ReviewedChanges, 'files'>,
): StoredReviewDraft {
  const drafts = draftsOf(home, scope.session);
  const { discard = [], edits = [], comments = [] } = drafts[keyOf(scope)] ?? {};
  // A file that was viewed in one review of the session counts as viewed in every review that shows the same diff.
  const viewed = new Set(Object.values(drafts).flatMap((draft) => draft.viewed));
  const currentMarks = new Set(files.map(viewedMark));
  const hunks = new Set(files.flatMap((file) => file.hunks.map(({ id }) => id)));
  return {
    viewed: [...currentMarks].filter((mark) => viewed.has(mark)),
    discard: discard.filter((id) => hunks.has(id)),
    edits: edits.filter(({ hunk }) => hunks.has(hunk)),
    comments,
  };
}

export function viewedMark({ path, digest }: Pick<ReviewedFile, 'path' | 'digest'>): string {
  return `${path}@${digest}`;
}

/** `unviewed` are marks to remove from all drafts: the review shows their files, and they are not viewed. */
export function writeReviewDraft(
  home: string,
  scope: ReviewScope,
  draft: StoredReviewDraft,
  unviewed: readonly string[] = [],
): void {
  const { [keyOf(scope)]: _old, ...others } = draftsOf(home, scope.session);
  const removed = new Set(unviewed);
  // The draft that was written last is the last entry; the oldest entries are dropped.
  const otherDrafts = Object.entries(others)
    .slice(1 - mostDrafts)
    .map(
      ([key, stored]) =>
        [key, { ...stored, viewed: stored.viewed.filter((mark) => !removed.has(mark)) }] as const,
    );
  const file = fileOf(home, scope.session);
  const temp = `${file}.${randomId().slice(0, 12)}.tmp`;
  ensureFolder(dirname(file));
  try {
    writeFileSync(temp, JSON.stringify(Object.fromEntries([...otherDrafts, [keyOf(scope), draft]])), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

// A key is never a number alone, because an object sorts numeric keys and drafts are in the order of writing.
function keyOf({ turn }: ReviewScope): string {
  return turn === null ? 'session' : `turn ${turn}`;
}

function fileOf(home: string, session: string): string {
  return join(reviewFolder({ home, session }), 'draft.json');
}

/** An unreadable file counts as no draft: a person can make the same choices again. */
function draftsOf(home: string, session: string): Drafts {
  try {
    return JSON.parse(readFileSync(fileOf(home, session), 'utf8')) as Drafts;
  } catch {
    return {};
  }
}
