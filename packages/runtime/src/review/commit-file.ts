// The content that a commit of a review has for one file: the file of the last commit plus the shown hunks, without changes by other turns
// or the user. A file whose hunks can't be separated is refused with the next step.

import { diffLines, type LineChange } from '@codelab/protocol';
import type { CommitEntry, FileMode, NewBlob } from '../git/commit-entries.ts';
import type { GitEntries, GitEntry } from '../git/read/read-entries.ts';
import type { Hunk } from '../patch/unified-diff.ts';
import { digest } from '../platform/digest.ts';
import { contentOf } from './base-content.ts';
import type { ReviewedFile } from './review-files.ts';

export type CommitSources = {
  git: GitEntries;
  /** Reads a version that git has, in the form of the file. */
  read(path: string, entry: GitEntry): Promise<Buffer>;
};

/** No entries: the last commit has all of it. */
export type FileCommit = { entries: CommitEntry[] } | { refused: string };

export async function commitFile(file: ReviewedFile, committing: CommitSources): Promise<FileCommit> {
  const { gone, now, base, from, path } = file;
  if (gone !== undefined) return { refused: gone };
  if (now === null) return removal(path, base?.state.type === 'directory', committing);
  if (now.state.type === 'directory') {
    if (from !== undefined) return await movedFolder(from, path, committing);
    // The files in the folder are committed one by one.
    return base === null || base.state.type === 'directory'
      ? { entries: [] }
      : removal(path, false, committing);
  }
  const { commit } = committing.git;
  const isMoved = from !== undefined && commit.has(from);
  if (isMoved && commit.has(path))
    return { refused: `the last commit has another file at ${path}; commit its removal with git first` };
  const source = isMoved ? from : path;
  const content = await contentFor(file, source, committing);
  if ('refused' in content) return content;
  const away = isMoved ? removal(from, false, committing) : { entries: [] };
  if ('refused' in away) return away;
  if (content.blob === undefined) return away;
  const index = await indexFor(file, content.blob, committing);
  if (typeof index === 'object' && 'refused' in index) return index;
  return { entries: [...away.entries, { path, blob: content.blob, index }] };
}

type CommitContent = { blob: NewBlob | undefined } | { refused: string };

/** Undefined where the last commit has it already. */
async function contentFor(
  file: ReviewedFile,
  source: string,
  { git, read }: CommitSources,
): Promise<CommitContent> {
  const entry = git.commit.get(source);
  const { base, now } = file;
  if (entry === undefined) return base === null ? { blob: wholeBlob(file) } : { refused: notCommitted };
  const head = await read(source, entry);
  const mode = modeFor(file, entry);
  const isAsNow = digest(head) === now?.state.digest && typeOf(entry.mode) === now.state.type;
  if (isAsNow && mode === entry.mode)
    return { blob: source === file.path ? undefined : { mode, object: entry.object } };
  if (base === null) return { refused: removedSince };
  if (digest(head) === base.state.digest && typeOf(entry.mode) === base.state.type)
    return { blob: { ...wholeBlob(file), mode } };
  return withHunks(file, head, mode);
}

function withHunks({ base, now, hunks }: ReviewedFile, version: Buffer, mode: FileMode): CommitContent {
  const lines = contentOf({ type: 'file', size: 0, mode: 0 }, version).lines;
  const hunksWithText = hunks.flatMap(({ hunk }) => (hunk === undefined ? [] : [hunk]));
  if (!lines || !base?.lines || !now?.lines || hunksWithText.length === 0) return { refused: changedBeside };
  const onto = hunksOnto(lines, { base: base.lines, now: now.lines, hunks: hunksWithText });
  if ('conflict' in onto) return { refused: `line ${onto.conflict}: ${sameLines}` };
  const content = Buffer.from(onto.lines.join(''), 'utf8');
  return { blob: content.equals(version) ? undefined : { mode, content } };
}

const notCommitted =
  'it is not in the last commit, and other turns or you wrote to it as well; commit the review of the whole session, or the file with git';
const removedSince =
  'the last commit has a file there that was removed before the agent made this one; commit that with git first';
const changedBeside = 'others have changed it as well since the last commit; commit it with git';
const sameLines =
  'you or other turns changed these lines as well since the last commit; commit those first, or the file with git';
const staged = 'it has staged changes in the same lines; commit or unstage them first';

function wholeBlob({ now }: ReviewedFile): NewBlob {
  const { state, bytes, link } = now ?? { state: { type: 'file', mode: 0o644 } };
  if (link !== undefined) return { mode: '120000', content: Buffer.from(link) };
  const mode = fileMode(state.mode);
  return bytes === undefined ? { mode, file: true } : { mode, content: bytes };
}

/** Permissions are committed where the review shows that they changed. */
function modeFor(file: ReviewedFile, { mode }: GitEntry): FileMode {
  if (file.now?.state.type === 'symlink') return '120000';
  const isKept = file.mode === undefined && (mode === '100644' || mode === '100755');
  return isKept ? mode : fileMode(file.now?.state.mode ?? 0o644);
}

function fileMode(mode: number): FileMode {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}

function typeOf(mode: string): 'file' | 'symlink' | 'other' {
  return mode === '120000' ? 'symlink' : mode.startsWith('100') ? 'file' : 'other';
}

/** Lines that others have staged stay staged: the hunks are added to the index, unless the index has them. */
async function indexFor(
  file: ReviewedFile,
  blob: NewBlob,
  { git, read }: CommitSources,
): Promise<CommitEntry['index'] | { refused: string }> {
  const entry = git.index.get(file.path);
  if (isUnstaged(file.path, git)) return 'same';
  if (entry === undefined) return { refused: staged };
  const content = await read(file.path, entry);
  if (digest(content) === file.now?.state.digest) return 'keep';
  const newContent = withHunks(file, content, entry.mode === '100755' ? '100755' : blob.mode);
  if ('refused' in newContent) return { refused: staged };
  return newContent.blob ?? 'keep';
}

function isUnstaged(path: string, { commit, index }: GitEntries): boolean {
  const [head, entry] = [commit.get(path), index.get(path)];
  if (head === undefined) return entry === undefined || emptyBlobs.has(entry.object);
  return entry?.object === head.object && entry.mode === head.mode;
}

// A file that was only announced with `git add -N` has the content of an empty one.
const emptyBlobs = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

function removal(path: string, isFolder: boolean, { git }: CommitSources): FileCommit {
  const paths = [...git.commit.keys()].filter(
    (file) => file === path || (isFolder && file.startsWith(`${path}/`)),
  );
  const changed = paths.find((file) => !isUnstaged(file, git) && git.index.has(file));
  if (changed !== undefined) return { refused: staged };
  return {
    entries: paths.map((file) => ({ path: file, blob: null, index: git.index.has(file) ? 'same' : 'keep' })),
  };
}

/** All committed entries of the folder, under its new name. Changed files in it are added separately. */
async function movedFolder(from: string, to: string, committing: CommitSources): Promise<FileCommit> {
  const away = removal(from, true, committing);
  if ('refused' in away) return away;
  const moved = away.entries.flatMap(({ path }): CommitEntry[] => {
    const { mode, object } = committing.git.commit.get(path) ?? { mode: '', object: '' };
    const blob = { mode: mode as FileMode, object };
    return [{ path: `${to}${path.slice(from.length)}`, blob, index: 'same' }];
  });
  return { entries: [...away.entries, ...moved] };
}

// The hunks of a review applied to another version of their file, such as that of the last commit. Lines that only the user or other turns
// changed stay as in that version.
type Sides = { base: readonly string[]; now: readonly string[]; hunks: readonly Hunk[] };

/** The lines, or the number (from 1, in the current file) of the first line that can't be assigned to a hunk. */
type OntoVersion = { lines: string[] } | { conflict: number };

/** `version` without the hunks becomes it with them; hunks that it already has are passed over. */
function hunksOnto(version: readonly string[], { base, now, hunks }: Sides): OntoVersion {
  const others = diffLines(version, base);
  const missing = diffLines(version, now);
  const lines: string[] = [];
  let at = 0;
  for (const change of hunks.flatMap(changesIn)) {
    if (isIn(change, missing)) continue;
    const overlap = others.some((other) => isAcross(change, other));
    const start = placeOf(change.oldStart, others);
    if (overlap || start < at) return { conflict: change.newStart + 1 };
    lines.push(...version.slice(at, start), ...now.slice(change.newStart, change.newEnd));
    at = start + change.oldEnd - change.oldStart;
  }
  lines.push(...version.slice(at));
  // Two lines would become one where the first has no line feed.
  const open = lines.findIndex((line, i) => i < lines.length - 1 && !line.endsWith('\n'));
  return open < 0 ? { lines } : { conflict: now.length };
}

/** The changed ranges of a hunk, without its context. */
function changesIn({ oldStart, oldLines, newStart, newLines, lines }: Hunk): LineChange[] {
  const changes: LineChange[] = [];
  let oldAt = oldLines === 0 ? oldStart : oldStart - 1;
  let newAt = newLines === 0 ? newStart : newStart - 1;
  let open: LineChange | undefined;
  for (const sign of lines.map((line) => line.charAt(0))) {
    if (sign === '\\') continue;
    if (sign === ' ') {
      oldAt++;
      newAt++;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { oldStart: oldAt, oldEnd: oldAt, newStart: newAt, newEnd: newAt };
      changes.push(open);
    }
    if (sign === '-') open.oldEnd = ++oldAt;
    else open.newEnd = ++newAt;
  }
  return changes;
}

/** The version has the lines of the change already, and those around it as the file has them. */
function isIn({ newStart, newEnd }: LineChange, missing: readonly LineChange[]): boolean {
  return !missing.some((change) => change.newStart <= newEnd && newStart <= change.newEnd);
}

/** Two changes overlap when both changed the same lines of the base, or one lies within the other. Neighbours do not overlap. */
function isAcross({ oldStart: start, oldEnd: end }: LineChange, other: LineChange): boolean {
  const { newStart: from, newEnd: to } = other;
  if (start === end) return from < start && start < to;
  if (from === to) return start < from && from < end;
  return start < to && from < end;
}

/** The position of a base line in the version. */
function placeOf(line: number, others: readonly LineChange[]): number {
  const before = others.findLast(({ newEnd }) => newEnd <= line);
  return before === undefined ? line : line - before.newEnd + before.oldEnd;
}
