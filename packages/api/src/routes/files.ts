// Files of the workspace for a screen: one folder, one text, saving it, and finding by a few letters; and the worktrees of sessions.
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { countFromOne, filePath, lazily, time } from '../shared.ts';

const base = '/api/v1/files';

const FolderEntry = lazily(() =>
  z.strictObject({
    name: z.string(),
    path: z.string(),
    type: z.string(),
    size: z.optional(z.number()),
    modified: z.optional(time()),
  }),
);
export type FolderEntry = z.infer<ReturnType<typeof FolderEntry>>;

const TextFile = lazily(() =>
  z.strictObject({
    path: z.string(),
    text: z.string(),
    size: z.number(),
    modified: z.optional(time()),
    /** Required for saving: a file that changed since is not overwritten. */
    fingerprint: z.string(),
    line_ending: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
    /** A file that is not UTF-8 can be viewed, not saved; `latin1` maps every byte to the character of its number. */
    encoding: z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'latin1']),
  }),
);
export type TextFile = z.infer<ReturnType<typeof TextFile>>;

const SaveResult = lazily(() =>
  z.strictObject({ call_id: z.string(), path: z.string(), size: z.number(), fingerprint: z.string() }),
);
export type SaveResult = z.infer<ReturnType<typeof SaveResult>>;

const FileMark = lazily(() =>
  z.strictObject({ path: z.string(), mark: z.enum(['added', 'changed', 'deleted', 'conflict']) }),
);
export type FileMark = z.infer<ReturnType<typeof FileMark>>;

const SearchMatch = lazily(() =>
  z.strictObject({
    path: z.string(),
    line: z.int(),
    /** The column, from 1, in characters of the line. */
    column: z.int(),
    text: z.string(),
    match: z.string(),
  }),
);
export type SearchMatch = z.infer<ReturnType<typeof SearchMatch>>;

/** Names the session whose worktree is read; without it, or without a worktree, the workspace itself. */
const inSession = () => ({ session_id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))) });

const flag = () => z._default(z.enum(['true', 'false']), 'false');

export const fileRoutes = {
  list: defineRoute({
    id: 'listFolder',
    method: 'GET',
    path: base,
    summary: 'One folder, folders first',
    query: () => z.object({ path: z._default(filePath(), '.'), ...inSession() }),
    answer: lazily(() =>
      z.strictObject({ path: z.string(), entries: z.array(FolderEntry()), truncated: z.boolean() }),
    ),
  }),
  read: defineRoute({
    id: 'readFile',
    method: 'GET',
    path: `${base}/content`,
    summary: 'A text file, with the fingerprint that saving it needs',
    query: () => z.object({ path: filePath(), ...inSession() }),
    answer: TextFile,
  }),
  save: defineRoute({
    id: 'saveFile',
    method: 'PUT',
    path: `${base}/content`,
    summary: 'Saves a text file as a call of the session, which can be undone',
    body: () =>
      z.strictObject({
        path: filePath(),
        text: z.string(),
        /** From reading the file; null or omitted when the file does not exist yet. */
        fingerprint: z.nullish(z.string().check(z.maxLength(200))),
        session_id: z.string().check(z.minLength(1), z.maxLength(200)),
        /** `exact`: the text has its own line endings; otherwise those of the file are kept. */
        line_endings: z._default(z.enum(['keep', 'exact']), 'keep'),
      }),
    answer: SaveResult,
  }),
  find: defineRoute({
    id: 'findFiles',
    method: 'GET',
    path: `${base}/find`,
    summary: 'Files whose paths match a few letters, best match first',
    query: () =>
      z.object({
        query: z._default(z.string().check(z.maxLength(200)), ''),
        limit: z._default(countFromOne(200), 20),
        ...inSession(),
      }),
    answer: lazily(() => z.strictObject({ files: z.array(z.string()) })),
  }),
  marks: defineRoute({
    id: 'listFileMarks',
    method: 'GET',
    path: `${base}/marks`,
    summary: 'The git status of files that differ from the last commit; empty without a repository',
    query: () => z.object(inSession()),
    answer: lazily(() => z.strictObject({ marks: z.array(FileMark()), truncated: z.boolean() })),
  }),
  picture: defineRoute({
    id: 'readPicture',
    method: 'GET',
    path: `${base}/picture`,
    summary: 'A PNG, JPEG, GIF or WebP file, in base64',
    query: () => z.object({ path: filePath(), ...inSession() }),
    answer: lazily(() => z.strictObject({ path: z.string(), media_type: z.string(), data: z.string() })),
  }),
  search: defineRoute({
    id: 'searchFiles',
    method: 'GET',
    path: `${base}/search`,
    summary: 'Lines of the workspace that contain a text or match a pattern',
    query: () =>
      z.object({
        query: z.string().check(z.minLength(1), z.maxLength(1000)),
        regex: flag(),
        case_sensitive: flag(),
        /** Only files that match this glob. */
        file_pattern: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
        limit: z._default(countFromOne(1000), 200),
        ...inSession(),
      }),
    answer: lazily(() => z.strictObject({ matches: z.array(SearchMatch()), truncated: z.boolean() })),
  }),
};

// The git worktree of a session: its state, merging its branch into the workspace's, and removing it.
const worktreeBase = '/api/v1/sessions/{id}/worktree';

const WorktreeView = lazily(() =>
  z.strictObject({
    path: z.string(),
    /** The checked-out branch; null for a detached commit. */
    branch: z.nullable(z.string()),
    /** The branch that the workspace has checked out, which is the target of a merge. */
    into: z.nullable(z.string()),
    /** Files with uncommitted changes. */
    files: z.array(z.string()),
    /** Files that git ignores and no tool makes again; a folder that is ignored as a whole ends with a slash. */
    ignored: z.array(z.string()),
    /** Hash and subject of the commits that `into` lacks, latest first; at most 1000. */
    commits: z.array(z.string()),
    /** The print of everything that removing the worktree would lose; removing requires it where something would be lost. */
    print: z.string(),
  }),
);
export type WorktreeView = z.infer<ReturnType<typeof WorktreeView>>;

const WorktreeMerge = lazily(() =>
  z.strictObject({
    branch: z.string(),
    into: z.string(),
    /** The commits of `into` before and after the merge. */
    before: z.string(),
    commit: z.string(),
    commits: z.number(),
  }),
);
export type WorktreeMerge = z.infer<ReturnType<typeof WorktreeMerge>>;

const WorktreeDrop = lazily(() =>
  z.strictObject({
    branch: z.nullable(z.string()),
    branch_deleted: z.boolean(),
    /** The number of lost files and commits. */
    files: z.number(),
    commits: z.number(),
  }),
);
export type WorktreeDrop = z.infer<ReturnType<typeof WorktreeDrop>>;

export const worktreeRoutes = {
  get: defineRoute({
    id: 'getWorktree',
    method: 'GET',
    path: worktreeBase,
    summary: 'The state of a session’s worktree compared with the workspace',
    answer: WorktreeView,
  }),
  merge: defineRoute({
    id: 'mergeWorktree',
    method: 'POST',
    path: `${worktreeBase}/merge`,
    summary:
      'Merges the branch of the worktree into the one of the workspace; on conflicts nothing is changed',
    body: () =>
      z.strictObject({
        /** Commits uncommitted files first; without it, such files refuse the merge. */
        message: z.optional(z.string().check(z.minLength(1), z.maxLength(10_000))),
        /** The branch to merge into; refused when the workspace is on another branch by now. */
        into: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
      }),
    isBodyOptional: true,
    answer: WorktreeMerge,
  }),
  drop: defineRoute({
    id: 'dropWorktree',
    method: 'POST',
    path: `${worktreeBase}/drop`,
    summary: 'Removes the worktree; the branch stays unless `delete_branch` is set',
    body: () =>
      z.strictObject({
        /** The print of the worktree as it was shown; required where files or commits would be lost. */
        print: z.optional(z.string().check(z.maxLength(200))),
        delete_branch: z._default(z.boolean(), false),
      }),
    isBodyOptional: true,
    answer: WorktreeDrop,
  }),
};
