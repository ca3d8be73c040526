// The paths that a sandboxed command opened for writing, created, removed or renamed, as native/trace-writes.c recorded them. A command can
// hide a write from the trace on purpose, so the trace decides what undo reverts, and never what a command may leave.
import { readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import type { TreeDifference, TreeEntry } from './tree-entry.ts';

/** All paths are relative to the workspace, and go through no symbolic link. */
export type WriteTrace = {
  /** Opened for writing, created, renamed to, or given other permissions. */
  touched: ReadonlySet<string>;
  /** The same in lower case, for disks that ignore case. */
  touchedAnyCase: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  /** By the new name: the old name and the time. */
  renames: ReadonlyMap<string, readonly Rename[]>;
  /** Files with several names that were opened for writing. */
  inodes: ReadonlySet<number>;
  /** When the command was last seen to write, to a few milliseconds. */
  lastAt: number;
  /** When CodeLab was killed, which ended the command, and what the command was writing then. */
  killed: { at: number; recent: ReadonlySet<string> } | undefined;
};

type Rename = { from: string; at: number };

const head = 'trace-writes 1';
const nul = String.fromCharCode(0);

/** Undefined when the command was not traced, or not to its end. */
export function readTrace(file: string): WriteTrace | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const [first, ...records] = text.split(nul).slice(0, -1);
  return first === head ? traceOf(records) : undefined;
}

/** Why the program could not start tracing, in its own words; undefined when it could. */
export function traceFault(report: string): string | undefined {
  return report.startsWith(head) ? undefined : report.trim().replace(/^incomplete: /, '') || 'no report';
}

function traceOf(records: readonly string[]): WriteTrace {
  const touched = new Set<string>();
  const removed = new Set<string>();
  const renames = new Map<string, Rename[]>();
  const inodes = new Set<number>();
  const recent = new Set<string>();
  let lastAt = 0;
  let killedAt: number | undefined;
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? '';
    const rest = record.slice(1);
    if (record[0] === '@') lastAt = Number(rest);
    else if (record[0] === 't') touched.add(normalPath(rest));
    else if (record[0] === 'd') removed.add(normalPath(rest));
    else if (record[0] === 'i') inodes.add(Number(rest));
    else if (record[0] === 'x') killedAt = Number(rest);
    else if (record[0] === 'l') recent.add(normalPath(rest));
    else if (record[0] === 'r') {
      const [from, to] = [normalPath(rest), normalPath(records[++i] ?? '')];
      removed.add(from);
      touched.add(to);
      renames.set(to, [...(renames.get(to) ?? []), { from, at: lastAt }]);
    }
  }
  const touchedAnyCase = new Set([...touched].map(anyCase));
  const killed = killedAt === undefined ? undefined : { at: killedAt, recent };
  return { touched, touchedAnyCase, removed, renames, inodes, lastAt, killed };
}

// A path whose folder was missing at the time of the call is recorded as it was written.
function normalPath(path: string): string {
  return /(^|\/)\.{0,2}(\/|$)/.test(path) ? posix.normalize(path).replace(/\/$/, '') : path;
}

function anyCase(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Whether a path was being written when the command was ended together with CodeLab, and may have been changed for a moment longer. */
export function isCutShort({ killed }: WriteTrace, path: string, at: number): boolean {
  return killed?.recent.has(path) === true && at <= killed.at + endingMs;
}

// All processes of a sandbox end within milliseconds; a busy machine takes longer.
const endingMs = 200;

/** Whether the command made a change or could have made it; times tell whether another program did so as well. */
export function isTraced(trace: WriteTrace, { path, before, after }: TreeDifference): boolean {
  if (after === undefined) return isRemoved(trace, path);
  const isSameFile = before !== undefined && before.ino === after.ino;
  if (isSameFile && trace.inodes.has(after.ino)) return true;
  return isTouched(trace, path, after, mostRenames);
}

function isRemoved({ removed }: WriteTrace, path: string): boolean {
  // A renamed folder takes everything below it along.
  return removed.has(path) || foldersAbove(path).some((folder) => removed.has(folder));
}

function isTouched(trace: WriteTrace, path: string, entry: TreeEntry, depthLeft: number): boolean {
  if (trace.touched.has(path) || trace.touchedAnyCase.has(anyCase(path))) return true;
  return foldersAbove(path).some((folder) =>
    (trace.renames.get(folder) ?? []).some(({ from, at }) => {
      // An entry that only moved with its folder was not changed since; one changed since was touched under either name, or belongs to
      // another program.
      const isMovedAlong = entry.ctimeMs <= at + clockTickMs;
      return (
        isMovedAlong ||
        (depthLeft > 0 && isTouched(trace, from + path.slice(folder.length), entry, depthLeft - 1))
      );
    }),
  );
}

// Renames in a circle must not be followed for ever.
const mostRenames = 8;
// The time of a rename is recorded before it happens, and to a few milliseconds.
const clockTickMs = 5;

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(at);
  return folders;
}
