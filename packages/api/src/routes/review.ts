// Review: the changes of a turn or a session as one diff, a person's choices so far, discarding and committing.
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { countFromOne, filePath, lazily } from '../shared.ts';

const base = '/api/v1/sessions/{id}/review';

const turnNumber = () => z.int().check(z.positive());
const hunkId = () => z.string().check(z.minLength(1), z.maxLength(100));
const hunkIds = () => z.array(hunkId()).check(z.maxLength(20_000));

/** The new text of a hunk, its context included: the content once the hunk is decided. */
const HunkText = () => z.strictObject({ hunk: hunkId(), text: z.string().check(z.maxLength(2_000_000)) });
const hunkTexts = () => z.array(HunkText()).check(z.maxLength(2000));

const ReviewComment = lazily(() =>
  z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(100)),
    path: filePath(),
    /** The line, from 1, in the file before (`old`) or now (`new`). */
    line: turnNumber(),
    side: z.enum(['old', 'new']),
    text: z.string().check(z.maxLength(20_000)),
  }),
);
export type ReviewComment = z.infer<ReturnType<typeof ReviewComment>>;

const draftFields = () => ({
  /**
   * `path@digest` of viewed files; with another digest the file counts as not viewed. The mark counts in every review that shows the
   * same.
   */
  viewed: z.array(z.string().check(z.maxLength(5000))).check(z.maxLength(5000)),
  /** Hunks chosen to be discarded. */
  discard: hunkIds(),
  edits: hunkTexts(),
  comments: z.array(ReviewComment()).check(z.maxLength(2000)),
});

const ReviewDraftBody = lazily(() => z.strictObject(draftFields()));
export type ReviewDraftBody = z.infer<ReturnType<typeof ReviewDraftBody>>;

const EntryType = lazily(() =>
  z.strictObject({
    /** `text` and `binary` files were compared; a `file` is too large to be compared. */
    type: z.enum(['text', 'binary', 'file', 'symlink', 'directory', 'other']),
    /** The target of a symbolic link. */
    target: z.optional(z.string()),
  }),
);

const ReviewFile = lazily(() =>
  z.strictObject({
    path: z.string(),
    /** The old path of a moved file. */
    from: z.optional(z.string()),
    op: z.enum(['create', 'update', 'delete', 'move', 'mkdir']),
    /** A unified diff; empty for a change without lines. */
    diff: z.string(),
    /** In the order of the diff's hunks. A change without hunks (a move, a mode, a binary file) has one id. */
    hunks: z.array(z.strictObject({ id: z.string() })),
    /** Digest of everything that is shown of the file; `path@digest` marks it as viewed. */
    digest: z.string(),
    /** Number of lines; null when they cannot be counted. */
    added: z.nullable(z.number()),
    removed: z.nullable(z.number()),
    /** A folder, which is listed but not counted among the files. */
    folder: z.optional(z.literal(true)),
    /** Permissions, where they changed. */
    mode: z.optional(z.strictObject({ before: z.string(), after: z.string() })),
    /** The type of the entry before and now, where one is a symbolic link or the two differ; null for nothing. */
    types: z.optional(z.strictObject({ before: z.nullable(EntryType()), after: z.nullable(EntryType()) })),
    binary: z.optional(z.literal(true)),
    /** The diff is too long to be shown; the file can be discarded whole. */
    truncated: z.optional(z.literal(true)),
    /** Why the file cannot be discarded. */
    gone: z.optional(z.string()),
    /** A note on what the diff omits. */
    note: z.optional(z.string()),
    /** The file changed while a command ran; who changed it is unknown. Discarded only when it is named. */
    uncertain: z.optional(z.literal(true)),
    /** The calls that changed the file, oldest first. */
    calls: z.array(z.string()),
    viewed: z.boolean(),
  }),
);
export type ReviewFile = z.infer<ReturnType<typeof ReviewFile>>;

const Review = lazily(() =>
  z.strictObject({
    /** Null for the whole session. */
    turn: z.nullable(z.number()),
    /** The turns that changed files, oldest first. */
    turns: z.array(z.number()),
    /** Changes when anything that is shown has changed. */
    version: z.string(),
    files: z.array(ReviewFile()),
    /** The number of unlisted files. */
    more_files: z.optional(z.number()),
    draft: ReviewDraftBody(),
    /** A proposed commit, with a message made from the user's words; null where there is no git repository. */
    commit: z.nullable(z.strictObject({ message: z.string(), paths: z.array(z.string()) })),
  }),
);
export type SessionReview = z.infer<ReturnType<typeof Review>>;

const DiscardResult = lazily(() =>
  z.strictObject({
    /** The recorded call, which undo can revert; null when nothing was discarded. */
    call_id: z.nullable(z.string()),
    files: z.array(
      z.strictObject({
        path: z.string(),
        state: z.enum(['done', 'refused']),
        /** The affected hunks. */
        hunks: z.array(z.string()),
        why: z.optional(z.string()),
      }),
    ),
    done: z.boolean(),
  }),
);
export type DiscardResult = z.infer<ReturnType<typeof DiscardResult>>;

const CommitResult = lazily(() =>
  z.strictObject({
    hash: z.string(),
    branch: z.nullable(z.string()),
    files_committed: z.number(),
    insertions: z.number(),
    deletions: z.number(),
  }),
);

export const reviewRoutes = {
  get: defineRoute({
    id: 'getReview',
    method: 'GET',
    path: base,
    summary: 'The changes of a turn or the whole session, as one diff',
    query: () => z.object({ turn: z.optional(countFromOne(Number.MAX_SAFE_INTEGER)) }),
    answer: Review,
  }),
  totals: defineRoute({
    id: 'getReviewTotals',
    method: 'GET',
    path: `${base}/totals`,
    summary: 'How many files and lines the review of a turn or the whole session has',
    query: () => z.object({ turn: z.optional(countFromOne(Number.MAX_SAFE_INTEGER)) }),
    answer: lazily(() => z.strictObject({ files: z.number(), added: z.number(), removed: z.number() })),
  }),
  draft: defineRoute({
    id: 'saveReviewDraft',
    method: 'PUT',
    path: `${base}/draft`,
    summary: 'Saves the picks, edits, comments and viewed marks so far; they survive a restart',
    body: () =>
      z.strictObject({
        turn: z.nullable(turnNumber()),
        ...draftFields(),
        /** Files that are shown and no longer viewed, also if they were viewed in another review of the session. */
        unviewed: z.optional(z.array(z.string().check(z.maxLength(5000))).check(z.maxLength(5000))),
      }),
    status: 204,
  }),
  discard: defineRoute({
    id: 'discardChanges',
    method: 'POST',
    path: `${base}/discard`,
    summary: 'Discards hunks, files or everything of a review, as one recorded call that can be undone',
    body: () =>
      z.strictObject({
        /** The reviewed turn; without it, the whole session. */
        turn: z.optional(z.nullable(turnNumber())),
        hunks: z._default(hunkIds(), []),
        edits: z.optional(hunkTexts()),
        files: z.optional(z.array(filePath()).check(z.maxLength(5000))),
        all: z.optional(z.literal(true)),
      }),
    answer: DiscardResult,
  }),
  commit: defineRoute({
    id: 'commitReview',
    method: 'POST',
    path: `${base}/commit`,
    summary: 'Commits the changed files with git, as a recorded call',
    body: () =>
      z.strictObject({
        message: z.string().check(z.minLength(1), z.maxLength(60_000)),
        /** The reviewed turn; without it, the whole session. */
        turn: z.optional(z.nullable(turnNumber())),
        /** All files of the review by default. */
        paths: z.optional(z.array(filePath()).check(z.minLength(1), z.maxLength(1000))),
      }),
    answer: CommitResult,
  }),
};
