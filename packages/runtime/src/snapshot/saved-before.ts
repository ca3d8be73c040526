// The state of the workspace before a command, stored in a file until the command's call is recorded: if CodeLab is killed meanwhile, the
// next start can still determine what the command changed. A second file has one line per sample of the command's processes, a third one
// the paths that a traced command writes.
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '@codelab/protocol';
import { ensureFolder } from '../platform/database-lock.ts';
import { createPauses } from '../platform/steps.ts';
import { isSeenGone } from '../platform/system.ts';
import type { Activity, ActivitySpan } from '../process/family/activity.ts';
import type { TreeBefore } from './tree-before.ts';
import type { TreeEntry } from './tree-entry.ts';
import type { LeftOutReason } from './walk-tree.ts';
import { readTrace, type WriteTrace } from './write-trace.ts';

/** `writes` are the paths that the words of the command name. */
export type SavedBefore = Pick<TreeBefore, 'objects' | 'kept' | 'startedAt' | 'position'> & {
  entries: Map<string, TreeEntry>;
  leftOut: Map<string, LeftOutReason>;
  leftOutEntries: Map<string, TreeEntry>;
  writes: readonly string[];
};

/** Files in the state folder for one call. `note` records one sample of the command's processes. */
export type BeforeRecord = Disposable & {
  note(span: ActivitySpan, openInodes: ReadonlySet<number>): void;
  /** Where the command's writes are to be recorded; undefined when nothing can be kept. */
  report: string | undefined;
};

type Place = { home: string; slot: string };
type Row = [path: string, entry: TreeEntry, object: string | null, item: string | null];

const mostActivityBytes = 8 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const pruneEveryMs = 60 * 60 * 1000;
let prunedAt = Number.NEGATIVE_INFINITY;

/** The file is not synced: after a power failure it may be cut, and is then not used. */
export async function saveBefore(
  place: Place,
  before: TreeBefore,
  writes: readonly string[],
): Promise<BeforeRecord> {
  const { file, activity, trace } = filesOf(place);
  const pauses = createPauses();
  const { tree, objects, kept, startedAt, position } = before;
  const leftOut = [...tree.leftOut].map(([path, reason]) => [path, reason, tree.leftOutEntries.get(path)]);
  const head = { startedAt, position, writes, leftOut, rows: tree.entries.size };
  const lines = [JSON.stringify(head)];
  for (const [path, entry] of tree.entries) {
    const row: Row = [path, entry, objects.get(path) ?? null, kept.get(path) ?? null];
    lines.push(JSON.stringify(row));
    if (pauses.isDue()) await pauses.rest();
  }
  try {
    ensureFolder(folderOf(place.home));
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
    pruneWhenDue(place.home);
  } catch {
    // Without the file, for example on a full disk, the report after a crash says that the changes are unknown.
    removeSaved(place);
    return { note: () => undefined, report: undefined, [Symbol.dispose]: () => undefined };
  }
  return { ...activityLog(activity), report: trace, [Symbol.dispose]: () => removeSaved(place) };
}

function activityLog(file: string): Pick<BeforeRecord, 'note'> {
  const inodes = new Set<number>();
  let bytes = 0;
  return {
    note({ from, to, did, bytes: written }, openInodes) {
      const fresh = [...openInodes].filter((inode) => !inodes.has(inode));
      for (const inode of fresh) inodes.add(inode);
      const line = `${JSON.stringify([from, to, did, Number.isFinite(written) ? written : null, fresh])}\n`;
      bytes += line.length;
      if (bytes > mostActivityBytes) return;
      try {
        const fd = openSync(file, 'a', 0o600);
        writeSync(fd, line);
        closeSync(fd);
      } catch {
        // Without this line, less is known after a crash.
      }
    },
  };
}

/** Undefined when the file is missing or incomplete. */
export function readSaved(place: Place): SavedBefore | undefined {
  try {
    const [first = '', ...lines] = readFileSync(filesOf(place).file, 'utf8').trimEnd().split('\n');
    const { rows: count, leftOut, ...head } = JSON.parse(first) as SavedHead;
    if (lines.length !== count) return undefined;
    const rows = lines.map((line) => JSON.parse(line) as Row);
    return {
      ...head,
      leftOut: new Map(leftOut.map(([path, reason]) => [path, reason])),
      leftOutEntries: new Map(leftOut.flatMap(([path, , entry]) => (entry ? [[path, entry]] : []))),
      entries: new Map(rows.map(([path, entry]) => [path, entry])),
      objects: new Map(rows.flatMap(([path, , object]) => (object === null ? [] : [[path, object]]))),
      kept: new Map(rows.flatMap(([path, , , item]) => (item === null ? [] : [[path, item]]))),
    };
  } catch {
    return undefined;
  }
}

type SavedHead = Pick<SavedBefore, 'startedAt' | 'position' | 'writes'> & {
  rows: number;
  leftOut: [path: string, reason: LeftOutReason, entry?: TreeEntry | null][];
};

/** The recorded writes of the command; undefined when it was not traced. */
export function readSavedTrace(place: Place): WriteTrace | undefined {
  return readTrace(filesOf(place).trace);
}

/** The recorded activity of the command's processes. */
export function readActivity(place: Place): Activity {
  const spans: ActivitySpan[] = [];
  const openInodes = new Set<number>();
  let text = '';
  try {
    text = readFileSync(filesOf(place).activity, 'utf8');
  } catch {
    // The process was killed before the first sample.
  }
  // The last line may be cut.
  for (const line of text.split('\n').slice(0, -1)) {
    const [from, to, activity, bytes, inodes] = JSON.parse(line) as ActivityLine;
    spans.push({ from, to, did: activity, bytes: bytes ?? Number.POSITIVE_INFINITY });
    for (const inode of inodes) openInodes.add(inode);
  }
  const isClockSteady = spans.every(({ from }, at) => from >= (spans[at - 1]?.from ?? from));
  return { spans, isClockSteady, openInodes };
}

// After the last sample of its processes a command may go on for a moment.
const unseenMs = 2000;

type StartedCall = { owner: Owner | undefined; slot: string; startedAt: number };

/** Whether a call without an outcome belongs to a killed process and was last seen before a time. */
export function hadEnded({ owner, slot, startedAt }: StartedCall, before: number, home: string): boolean {
  if (owner === undefined || !isSeenGone(owner)) return false;
  const times = Object.values(filesOf({ home, slot })).map(
    (name) => statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(startedAt, ...times) + unseenMs < before;
}

type ActivityLine = [
  from: number,
  to: number,
  did: ActivitySpan['did'],
  bytes: number | null,
  inodes: number[],
];

export function removeSaved(place: Place): void {
  for (const file of Object.values(filesOf(place))) rmSync(file, { force: true });
}

function filesOf({ home, slot }: Place): Record<'file' | 'activity' | 'trace', string> {
  const file = join(folderOf(home), slot);
  return { file, activity: `${file}.activity`, trace: `${file}.trace` };
}

function folderOf(home: string): string {
  return join(home, 'before');
}

/** Deletes records that no start has settled: their workspace may be gone. */
function pruneWhenDue(home: string): void {
  if (performance.now() - prunedAt < pruneEveryMs) return;
  prunedAt = performance.now();
  for (const name of readdirSync(folderOf(home))) {
    const file = join(folderOf(home), name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > 14 * dayMs) rmSync(file, { force: true });
  }
}
