// All new content of a set of changes in one file, synced once. Once it is on the disk the set will be carried out whole, whatever
// happens; it goes when the files themselves are synced.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '@codelab/protocol';
import type { Change, Source } from './change.ts';
import { syncFd } from './flush.ts';
import { thisProcess } from './process-identity.ts';

type StoredSource = { offset: number; length: number; mode: number } | { kept: string };
type Put = Extract<Change, { op: 'put' }>;
type StoredChange = Exclude<Change, Put> | (Omit<Put, 'source' | 'old'> & { source: StoredSource });
type Header = { owner: Owner; root: string; changes: StoredChange[] };

export type Journal = { slot: string; owner: Owner; root: string; changes: Change[] };

function folderOf(home: string): string {
  return join(home, 'journal');
}

function fileOf(home: string, slot: string): string {
  return join(folderOf(home), `${slot}.redo`);
}

export async function writeJournal(
  home: string,
  slot: string,
  root: string,
  changes: readonly Change[],
): Promise<void> {
  const pieces: Buffer[] = [];
  let offset = 0;
  const stored = changes.map((given): StoredChange => {
    if (given.op !== 'put') return given;
    const { old: _, ...change } = given;
    if (!('bytes' in change.source)) return { ...change, source: change.source };
    const { bytes, mode } = change.source;
    pieces.push(bytes);
    offset += bytes.length;
    return { ...change, source: { offset: offset - bytes.length, length: bytes.length, mode } };
  });
  const header: Header = { owner: thisProcess(), root, changes: stored };
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  const file = fileOf(home, slot);
  const fd = openSync(`${file}.tmp`, 'wx', 0o600);
  try {
    writeWhole(fd, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...pieces]));
    await syncFd(fd);
  } catch (error) {
    rmSync(`${file}.tmp`, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  renameSync(`${file}.tmp`, file);
  syncFolder(folderOf(home));
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writevSync(fd, [bytes.subarray(done)]);
}

export function readJournal(home: string, slot: string): Journal | undefined {
  const file = fileOf(home, slot);
  if (!existsSync(file)) return undefined;
  const all = readFileSync(file);
  const end = all.indexOf(0x0a);
  const { owner, root, changes }: Header = JSON.parse(all.toString('utf8', 0, end));
  const content = all.subarray(end + 1);
  const restore = (source: StoredSource): Source =>
    'kept' in source
      ? source
      : { bytes: content.subarray(source.offset, source.offset + source.length), mode: source.mode };
  const whole = changes.map(
    (one): Change => (one.op === 'put' ? { ...one, source: restore(one.source) } : one),
  );
  return { slot, owner, root, changes: whole };
}

export function removeJournal(home: string, slot: string): void {
  rmSync(fileOf(home, slot), { force: true });
}

/** Journals left behind that are old enough for their files to have reached the disk by now. */
export function oldJournals(home: string, olderThanMs: number): string[] {
  if (!existsSync(folderOf(home))) return [];
  const now = Date.now();
  return readdirSync(folderOf(home))
    .filter(
      (name) => name.endsWith('.redo') && now - statSync(join(folderOf(home), name)).mtimeMs > olderThanMs,
    )
    .map((name) => name.slice(0, -'.redo'.length));
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
