// The state of the disk after a kill, as a short text that is equal for two kills whose continuation can't differ. Random names and times
// are replaced by numbers in order of first appearance, so that references still count.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keysOf, type Lane } from './sweep-bench.ts';

export function stateOf(lane: Lane): string {
  const number = numbering();
  // The log and the journals tell temp names and slots in the order in which they came; a folder tells them at random.
  const parts = [
    tables(lane, 'sessions.db'),
    frames(join(lane.home, 'sessions.db-wal')),
    tables(lane, 'commit.lock'),
    ...filesBelow(join(lane.home, 'journal'), lane),
  ].map((part) => number(part.replaceAll(lane.folder, '~')));
  const files = [lane.root, lane.outside, keysOf(lane), lane.home]
    .flatMap((folder) => filesBelow(folder, lane))
    .filter((line) => !/^~\/home\/(sessions\.db|commit\.lock)/.test(line));
  const text = [...parts, ...numberLines(files, number)].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Lines with unknown names get their numbers by their content. */
function numberLines(lines: readonly string[], number: (text: string) => string): string[] {
  const blank = (line: string): string => line.replaceAll(volatile, '#');
  return lines
    .toSorted((a, b) => (blank(a) < blank(b) ? -1 : 1))
    .map(number)
    .toSorted();
}

/** Identities of files, slots, digests and other random names, times, owners. */
const volatile =
  /\d+:\d+:\d+:\d+:\d{19}:\d{19}|\d{13}-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[:_]\d+|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{12,}|\b1\d{12}\b|\bpid\\?":\d+|-\d+(?=-#)|\b(?:durationMs|uptime_ms|counted_ms)\\?":\d+|[\w+/]{60,}={0,2}/g;

function numbering(): (text: string) => string {
  const numbers = new Map<string, number>();
  return (text) =>
    text.replaceAll(volatile, (found) => {
      if (/^[a-z]/i.test(found) && found.includes('":')) return '#';
      const known = numbers.get(found) ?? numbers.size;
      numbers.set(found, known);
      return `#${known}`;
    });
}

/** A database as SQLite reads it after a crash: from a copy, so that the state stays as it is. */
function tables({ home, bench }: Lane, name: string): string {
  if (!existsSync(join(home, name))) return `${name}: none`;
  const folder = mkdtempSync(join(bench.scratch, 'copy-'));
  try {
    for (const ending of ['', '-wal', '-journal'])
      if (existsSync(join(home, name + ending)))
        copyFileSync(join(home, name + ending), join(folder, name + ending));
    using db = new DatabaseSync(join(folder, name));
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    const rows = names.map((table) => [table.name, db.prepare(`SELECT * FROM "${table.name}"`).all()]);
    return JSON.stringify([name, db.prepare('PRAGMA journal_mode').get(), rows]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The further input of the log's verification: the pages in the write-ahead file, and the bytes after its last commit. */
function frames(wal: string): string {
  if (!existsSync(wal)) return 'no write-ahead file';
  const bytes = readFileSync(wal);
  const size = 24 + 4096;
  const found: string[] = [];
  for (let at = 32; at + 8 <= bytes.length; at += size)
    found.push(`${bytes.readUInt32BE(at)}/${bytes.readUInt32BE(at + 4)}`);
  return `write-ahead file of ${bytes.length}: ${found.join(' ')}`;
}

/** Every file as a line: its path, its type, its file and version number, and its content. */
function filesBelow(folder: string, lane: Lane): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const stat = lstatSync(path, { bigint: true });
    const kind = `${stat.mode} ${stat.nlink}`;
    const short = path.replace(lane.folder, '~');
    if (stat.isSymbolicLink()) return `${short} ${kind} ${readlinkSync(path)}`;
    if (!stat.isFile()) return `${short} ${kind} ${sinceJournals(lane, stat.mtimeMs)}`;
    if (basename(entry.parentPath) === 'owners') return `~/home/owners/one ${kind}`;
    const version = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mode}:${stat.mtimeNs}:${stat.ctimeNs}`;
    return `${short} ${kind} ${version} ${readFileSync(path, 'latin1').replaceAll(lane.folder, '~')}`;
  });
}

/** After another boot, a folder that changed after a journal was written counts as changed by another program. */
function sinceJournals({ home }: Lane, changedMs: bigint): string {
  const folder = join(home, 'journal');
  if (!existsSync(folder)) return '';
  const names = readdirSync(folder).sort();
  return names.map((name) => lstatSync(join(folder, name), { bigint: true }).mtimeMs < changedMs).join();
}
