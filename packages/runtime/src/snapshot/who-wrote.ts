// Attributes a change that was made while a command ran. Where the command was traced, a path that it never touched is another program's.
// Otherwise times decide: the change is the command's when the command was active in a matching way at that time, and another program's
// when it was not. Where times do not decide, the trace, a path in the command line, or a file seen open may.

import { dirname } from 'node:path';
import type { Activity, ActivitySpan } from '../process/family/activity.ts';
import { type DiskKind, grainOf, isSameEntry, type TreeDifference, type TreeEntry } from './tree-entry.ts';
import type { Tree } from './walk-tree.ts';
import { isTraced, type WriteTrace } from './write-trace.ts';

export type Writer = 'command' | 'other' | 'uncertain';

/**
 * The evidence about a command that has ended. `writes` are the paths that its words name; `trace` exists when it was traced to its end.
 */
export type Evidence = {
  activity: Activity | undefined;
  writes: readonly string[];
  trace?: WriteTrace | undefined;
};

type Verdict =
  | 'command'
  | 'other'
  /** The command was active, but wrote less than the change. */
  | 'short'
  | 'unknown'
  /** Traces of both the command and another program. */
  | 'both';

export function whoWrote(
  difference: TreeDifference,
  evidence: Evidence,
  trees: Omit<TreePair, 'from' | 'to'>,
  disk: DiskKind,
): Writer {
  const { activity, trace } = evidence;
  if (trace !== undefined && !isTraced(trace, difference)) return 'other';
  const verdict = judge(difference, activity, trees, disk);
  if (verdict === 'command' || verdict === 'other') return verdict;
  if (verdict === 'both') return 'uncertain';
  if (isShownBy(evidence, difference)) return 'command';
  return verdict === 'short' && disk === 'counts' ? 'other' : 'uncertain';
}

/** The command was traced or seen to have the file open for writing, or its words name the path. */
export function isShownBy({ activity, writes, trace }: Evidence, difference: TreeDifference): boolean {
  const { path, after } = difference;
  if (trace !== undefined) return isTraced(trace, difference);
  return isNamed(path, writes) || (after !== undefined && activity?.openInodes.has(after.ino) === true);
}

function judge(
  difference: TreeDifference,
  activity: Activity | undefined,
  trees: Omit<TreePair, 'from' | 'to'>,
  disk: DiskKind,
): Verdict {
  const [first] = activity?.spans ?? [];
  const last = activity?.spans.at(-1);
  if (!activity?.isClockSteady || first === undefined || last === undefined) return 'unknown';
  // Times on a remote disk come from another clock.
  if (disk === 'remote') return 'unknown';
  const clues = cluesTo(difference, { ...trees, from: first.from, to: last.to });
  if (clues.some(({ device }) => device !== trees.root.device)) return 'unknown';
  return together(clues.map((clue) => judgeClue(clue, activity.spans)));
}

function together(verdicts: readonly Verdict[]): Verdict {
  const [first = 'unknown'] = verdicts;
  if (verdicts.every((verdict) => verdict === first)) return first;
  if (verdicts.includes('other')) return 'both';
  return verdicts.includes('unknown') ? 'unknown' : 'short';
}

// Clocks are read in whole milliseconds.
const roundingMs = 1;

function judgeClue(clue: Clue, spans: readonly ActivitySpan[]): Verdict {
  const earliest = clue.at - roundingMs;
  const latest = clue.at + clue.grain + roundingMs;
  const then = spansBetween(spans, earliest, latest);
  const isAtWork = then.some(({ did }) => did === 'something');
  if (clue.kind === 'latest' && !isAtWork) {
    const sofar = spansBetween(spans, Number.NEGATIVE_INFINITY, latest);
    return sofar.some(({ did }) => did !== 'nothing') ? 'unknown' : 'other';
  }
  if (!isAtWork) return then.some(({ did }) => did === 'unknown') ? 'unknown' : 'other';
  if (clue.kind !== 'content' || clue.bytes === 0) return 'command';
  const meanwhile = spansBetween(spans, Math.min(clue.since, clue.at) - roundingMs, latest);
  const isEnough = sumOf(then) > 0 && sumOf(meanwhile) >= clue.bytes;
  if (isEnough) return 'command';
  return clue.mayBeCut ? 'unknown' : 'short';
}

function sumOf(spans: readonly ActivitySpan[]): number {
  return spans.reduce((sum, { bytes }) => sum + bytes, 0);
}

function spansBetween(spans: readonly ActivitySpan[], from: number, to: number): ActivitySpan[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? from) < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((spans[end]?.from ?? Number.POSITIVE_INFINITY) <= to) end++;
  return spans.slice(low, end);
}

/** True for a named path, for everything below it, and for the folders above it. */
export function isNamed(path: string, writes: readonly string[]): boolean {
  return writes.some(
    (writtenPath) =>
      writtenPath === path || path.startsWith(`${writtenPath}/`) || writtenPath.startsWith(`${path}/`),
  );
}

// When a file was changed, by its times: the content by the modification time, a name or mode by the change time, a deletion by the times
// of its folder.
type Clue = {
  /** The time by the file's clock, and how much later the change may have been. */
  at: number;
  grain: number;
  device: number;
} & (
  | { kind: 'exact' }
  /** The latest of several changes, one of which is this one. */
  | { kind: 'latest' }
  /** `bytes` were written at `at`, or since `since`, unless the file was only truncated. */
  | { kind: 'content'; since: number; bytes: number; mayBeCut: boolean }
);

type TreePair = { before: Tree; after: Tree; root: TreeEntry; from: number; to: number };

/** All must hold if one program made the change; empty when the times say nothing. */
function cluesTo({ path, before, after }: TreeDifference, trees: TreePair): Clue[] {
  if (after === undefined) return [latest(folderOf(path, trees), 'mtimeMs')];
  const isNew = before === undefined || before.ino !== after.ino;
  // A new entry with old times was moved here together with a folder above it.
  if (isNew && after.ctimeMs + grainOf(after.ctimeMs) < trees.from) return movedWith(path, trees);
  if (after.type === 'directory') return [folderClue(after, isNew, trees)];
  const content = contentClue(before, after, isNew, trees);
  const isNamed = isNew || before.mode !== after.mode;
  if (content === undefined) return [exact(after, 'ctimeMs')];
  return isNamed ? [content, exact(after, 'ctimeMs')] : [content];
}

/** Undefined when the content is unchanged, or its time was set explicitly, as by `touch -d`, `tar` and `cp -p`. */
function contentClue(
  before: TreeEntry | undefined,
  after: TreeEntry,
  isNew: boolean,
  trees: TreePair,
): Clue | undefined {
  const { mtimeMs, bornMs, size, diskBytes } = after;
  if (!isNew && before?.mtimeMs === mtimeMs) return undefined;
  if (!isMeanwhile(mtimeMs, trees)) return undefined;
  const wasBornMeanwhile = isMeanwhile(bornMs, trees);
  if (wasBornMeanwhile && bornMs > mtimeMs + grainOf(mtimeMs)) return undefined;
  const at = exact(after, 'mtimeMs');
  if (after.type !== 'file' || size === 0) return at;
  if (isNew && (wasBornMeanwhile || bornMs === 0)) {
    const since = wasBornMeanwhile ? bornMs : trees.from;
    return { ...at, kind: 'content', since, bytes: Math.min(size, diskBytes), mayBeCut: false };
  }
  // An older file was moved or linked here: how much of it was written meanwhile is unknown.
  const addedBytes = isNew ? 0 : Math.min(size - (before?.size ?? 0), diskBytes);
  const since = addedBytes > 1 ? trees.from : mtimeMs;
  return { ...at, kind: 'content', since, bytes: Math.max(1, addedBytes), mayBeCut: isNew || addedBytes < 0 };
}

// Changes of a folder's entries also change the folder's times.
function folderClue(after: TreeEntry, isNew: boolean, trees: TreePair): Clue {
  if (isNew && isMeanwhile(after.bornMs, trees)) return exact(after, 'bornMs');
  return after.ctimeMs > after.mtimeMs ? exact(after, 'ctimeMs') : latest(after, 'ctimeMs');
}

function movedWith(path: string, { before, after, from }: TreePair): Clue[] {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const now = after.entries.get(at);
    const isMoved = now !== undefined && now.ino !== before.entries.get(at)?.ino;
    if (isMoved && now.ctimeMs + grainOf(now.ctimeMs) >= from) return [latest(now, 'ctimeMs')];
  }
  return [];
}

/** The nearest folder that still exists. */
function folderOf(path: string, { after, root }: Pick<TreePair, 'after' | 'root'>): TreeEntry {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const entry = after.entries.get(at);
    if (entry?.type === 'directory') return entry;
  }
  return root;
}

/** The latest time at which this may have been changed; for a deletion or a folder's entries, another program may have changed the folder. */
export function changedAt(
  { path, before, after }: TreeDifference,
  trees: Pick<TreePair, 'after' | 'root'>,
): number {
  // A program can set the modification time of the folder, but not its change time.
  if (after === undefined) return folderOf(path, trees).ctimeMs;
  const isMade = after.type === 'directory' && before?.ino !== after.ino && after.bornMs > 0;
  return isMade ? after.bornMs : after.ctimeMs;
}

function isMeanwhile(time: number, { from, to }: TreePair): boolean {
  return time + grainOf(time) >= from && time <= to + 1;
}

type Time = 'mtimeMs' | 'ctimeMs' | 'bornMs';

function exact(entry: TreeEntry, time: Time): Clue {
  return { kind: 'exact', at: entry[time], grain: grainOf(entry[time]), device: entry.device };
}

function latest(entry: TreeEntry, time: Time): Clue {
  return { ...exact(entry, time), kind: 'latest' };
}

/**
 * A file that was changed right before `startedAt` may have been changed again within the clock's resolution, so it is always included.
 */
export function compareTrees(before: Tree, after: Tree, startedAt: number): TreeDifference[] {
  const differences: TreeDifference[] = [];
  for (const [path, old] of before.entries) {
    const now = after.entries.get(path);
    const isTrusted = old.type === 'directory' || old.ctimeMs + 2 * grainOf(old.ctimeMs) < startedAt;
    if (now !== undefined && isTrusted && isSameEntry(old, now)) continue;
    // The path is left out now, or a folder above it, which says nothing about a change.
    if (now === undefined && isLeftOut(path, after)) continue;
    differences.push({ path, before: old, after: now });
  }
  for (const [path, now] of after.entries)
    if (!before.entries.has(path)) differences.push({ path, before: undefined, after: now });
  return differences;
}

function isLeftOut(path: string, { leftOut }: Tree): boolean {
  if (leftOut.size === 0) return false;
  for (let at = path; at !== '.'; at = dirname(at)) if (leftOut.has(at)) return true;
  return false;
}
