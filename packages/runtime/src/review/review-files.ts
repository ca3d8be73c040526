// A review: the changes that calls of a turn or session made, as one diff per file from its base to its present content. Each hunk's id is
// derived from its content, so a decision about it holds only while it is the same.
import type { Effect } from '@codelab/protocol';
import { countChanges, type Hunk, hunksFrom, unifiedText } from '../patch/unified-diff.ts';
import { digestJson } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import {
  type ComparedContents,
  type Content,
  compareContents,
  contentOf,
  type EntryTypes,
  entryTypes,
  hasSameState,
  isSameContent,
  type LoadContent,
  mostComparedBytes,
} from './base-content.ts';
import { findReviewCalls, type ReviewScope } from './find-calls.ts';
import { agentChanges } from './follow-lines.ts';
import { type TracedFile, traceFiles } from './trace-files.ts';
import { findContent, findLink, isFolderEmpty, stateAt, type VersionSources } from './versions.ts';

/** The replacement for a hunk's new lines, including its context. */
export type HunkText = { hunk: string; text: string };

/** A hunk, or a change without lines. */
type ReviewedHunk = { id: string; hunk?: Hunk };

export type ReviewedFile = {
  path: string;
  from?: string;
  op: Effect['op'];
  diff: string;
  hunks: ReviewedHunk[];
  digest: string;
  added: number | null;
  removed: number | null;
  /** The entry is a folder, which is listed and not counted among the files. */
  folder?: true;
  mode?: { before: string; after: string };
  /** Set where one of them is a symbolic link, or they differ. */
  types?: EntryTypes;
  binary?: true;
  truncated?: true;
  gone?: string;
  note?: string;
  uncertain?: true;
  calls: string[];
  /** The content and path without the changes, and the present content. */
  base: Content | null;
  now: Content | null;
  origin: TracedFile['origin'];
};

export type ReviewedChanges = {
  turn: number | null;
  turns: number[];
  version: string;
  files: ReviewedFile[];
  /** Folders that were made or removed on the way to files. */
  folders: ReviewedFile[];
};

// For all diffs together; files beyond it can still be discarded one by one.
const mostDiffChars = 4 * 1024 * 1024;

export async function readReview(context: PlanContext, scope: ReviewScope): Promise<ReviewedChanges> {
  const { workspace, home } = context;
  const { calls, turns, ...found } = await findReviewCalls(context, scope);
  const sources: VersionSources = { workspace, home, ...found };
  let charsLeft = mostDiffChars;
  const files: ReviewedFile[] = [];
  for (const traced of traceFiles(calls)) {
    const file = reviewFile(traced, sources, charsLeft);
    if (file === undefined) continue;
    charsLeft -= file.diff.length;
    files.push(file);
  }
  const { reviewed = [], folders = [] } = Object.groupBy(files, (file) =>
    isOnTheWay(file, files, context) ? 'folders' : 'reviewed',
  );
  return {
    turn: scope.turn,
    turns,
    version: shortDigest(reviewed.map((file) => [file.path, file.digest])),
    files: reviewed.sort((a, b) => (a.path < b.path ? -1 : 1)),
    folders,
  };
}

/** Undefined when nothing of the agent's changes is left. */
function reviewFile(
  traced: TracedFile,
  sources: VersionSources,
  mostChars: number,
): ReviewedFile | undefined {
  const { path, origin } = traced;
  const state = stateAt(path, sources.workspace);
  const others = hasSameState(state, traced.state)
    ? traced.others
    : [...traced.others, { before: traced.state, after: state }];
  const compared = compareContents({ ...traced, others }, state, loader(traced, sources));
  const { base, now, note } = compared;
  const from = base !== null && now !== null && origin.path !== path ? origin.path : undefined;
  const isSame = from === undefined && isSameContent(base, now);
  // When the agent's lines can't be separated from the user's, the review shows only a note.
  const goneNote = traced.isRemade ? remade : (compared.gone ?? (isSame ? note : undefined));
  if (isSame && !traced.isRemade && (goneNote === undefined || hasSameState(origin.state, state)))
    return undefined;
  const types = entryTypes(base, now);
  const identity = {
    path: now === null && goneNote === undefined ? origin.path : path,
    ...(from !== undefined && { from }),
    op: opOf(base, now, from, traced),
    ...(isFolder(now ?? base) && isFolder(base ?? now) && { folder: true as const }),
    ...modesOf(base, now),
    ...(types && { types }),
    ...(goneNote !== undefined && { gone: goneNote }),
    ...(note !== undefined && note !== goneNote && { note }),
    ...(traced.isUncertain && { uncertain: true as const }),
    calls: traced.calls,
    base,
    now,
    origin: { ...origin, isOnlyCopy: traced.isOnlyCopy === true },
  };
  const view = showLines(compared, identity, mostChars);
  const hunks = view.hunks.length > 0 ? view.hunks : [wholeHunk(identity)];
  return { ...identity, ...view, hunks, digest: shortDigest(hunks.map(({ id }) => id)) };
}

const remade = 'The folder was deleted with its contents and created again. Undo the call that deleted it.';

type About = Pick<ReviewedFile, 'path' | 'from' | 'base' | 'now' | 'types'>;
type Shown = Pick<ReviewedFile, 'diff' | 'hunks' | 'added' | 'removed' | 'binary' | 'truncated'>;

function showLines({ lines, base, now }: ComparedContents, identity: About, mostChars: number): Shown {
  if (lines === undefined) {
    const isBinary = [base, now].some(
      (content) => content?.bytes !== undefined && content.lines === undefined,
    );
    return { diff: '', hunks: [], added: null, removed: null, ...(isBinary && { binary: true as const }) };
  }
  const changes = agentChanges(lines);
  const hunks = hunksFrom(lines.base, lines.now, changes);
  const { additions: added, deletions: removed } = countChanges(changes);
  if (hunks.length === 0) return { diff: '', hunks: [], added, removed };
  const { path, from } = identity;
  const diff = unifiedText({ path, from, hunks, wasThere: base !== null, isThere: now !== null });
  if (diff.length > mostChars) return { diff: '', hunks: [], added, removed, truncated: true };
  const timesSeen = new Map<string, number>();
  return {
    diff,
    added,
    removed,
    hunks: hunks.map((hunk) => {
      const text = hunk.lines.join('\n');
      // Their order tells equal-looking hunks apart.
      const same = timesSeen.get(text) ?? 0;
      timesSeen.set(text, same + 1);
      // The lines don't tell what replaces them, such as where a link leads.
      return { id: hunkId(identity, [text, same, ...(identity.types ? statesOf(identity) : [])]), hunk };
    }),
  };
}

/** Starts with a digest of its path, so that a stale one can be refused by file name. */
function hunkId({ path, from = '' }: About, parts: unknown[]): string {
  return `${pathMark(path)}${shortDigest([path, from, ...parts])}`;
}

function wholeHunk(identity: About): ReviewedHunk {
  return { id: hunkId(identity, statesOf(identity)) };
}

function statesOf({ base, now }: About): unknown[] {
  return [base, now].map((content) => {
    if (content === null) return null;
    const { type, digest, size, mode, mtimeMs } = content.state;
    return [type, digest ?? [size, mtimeMs ?? 0], mode];
  });
}

export function pathMark(path: string): string {
  return `${shortDigest(path).slice(0, 8)}-`;
}

function shortDigest(value: unknown): string {
  return digestJson(value)
    .replace(/^sha256:/, '')
    .slice(0, 20);
}

function loader({ path, origin }: TracedFile, sources: VersionSources): LoadContent {
  const paths = [path, origin.path];
  return (state) => {
    if (state === null) return null;
    if (state.type === 'symlink') {
      const link = findLink(state, paths, sources);
      return link === undefined ? { state } : { state, link };
    }
    if (state.type !== 'file' || state.digest === undefined || state.size > mostComparedBytes)
      return { state };
    const bytes = findContent(state, paths, sources);
    return bytes && contentOf(state, bytes);
  };
}

function opOf(
  base: Content | null,
  now: Content | null,
  from: string | undefined,
  traced: TracedFile,
): Effect['op'] {
  if (base === null && now === null) return traced.state === null ? 'delete' : 'update';
  if (base === null) return now?.state.type === 'directory' ? 'mkdir' : 'create';
  if (now === null) return 'delete';
  return from === undefined ? 'update' : 'move';
}

function modesOf(base: Content | null, now: Content | null): Pick<ReviewedFile, 'mode'> {
  if (base?.state.type !== now?.state.type || base === null || now === null) return {};
  if (base.state.mode === now.state.mode) return {};
  const octal = ({ state }: Content): string => state.mode.toString(8).padStart(4, '0');
  return { mode: { before: octal(base), after: octal(now) } };
}

function isFolder(content: Content | null): boolean {
  return content?.state.type === 'directory';
}

/** Folders created or removed for a file are not listed, nor are folders that now hold other files. */
function isOnTheWay(
  { op, path, base }: ReviewedFile,
  files: readonly ReviewedFile[],
  { workspace }: PlanContext,
): boolean {
  if (op === 'mkdir' && !isFolderEmpty(path, workspace)) return true;
  const isFolder = op === 'mkdir' || (op === 'delete' && base?.state.type === 'directory');
  return isFolder && files.some((file) => [file.path, file.from].some((at) => at?.startsWith(`${path}/`)));
}
