// All new content of a set of changes in one file, synced once, with its call. Once it is on the disk the set can be completed after a
// crash; it is deleted when the files themselves are synced. The session log decides how it is used.
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import { Owner, ToolError } from '@codelab/protocol';
import { ensureFolder } from '../../platform/database-lock.ts';
import { thisProcess } from '../../platform/system.ts';
import type { Workspace } from '../workspace.ts';
import { type Change, type ChangeContext, type NewContent, syncFd } from './change.ts';

type StoredSource = { offset: number; length: number; mode: number } | { link: string } | { kept: string };
type Put = Extract<Change, { op: 'put' }>;
type StoredChange = Exclude<Change, Put> | (Omit<Put, 'source' | 'old'> & { source: StoredSource });

type Header = {
  owner: Owner;
  root: string;
  /** The folder itself: its path may now lead to another one. Journals of earlier versions name neither it nor their call. */
  rootId?: string;
  session?: string;
  callId?: string;
  /** The changes depend on the set before: once that set is complete they are due, begun or not. */
  isDue?: true;
  changes: StoredChange[];
};

export type Journal = Omit<Header, 'changes'> & {
  name: string;
  slot: string;
  changes: Change[];
  writtenMs: number;
};

/** In the state folder; created with the first journal. */
export const journalFolder = 'journal';
const ending = '.redo';

/** The first set of a call has its slot's name; later ones are numbered. */
export function journalName(slot: string, set = 0): string {
  return set === 0 ? slot : `${slot}.${set}`;
}

export async function writeJournal(
  name: string,
  { home, workspace, session, callId }: ChangeContext,
  changes: readonly Change[],
  isDue = false,
): Promise<void> {
  const pieces: Buffer[] = [];
  let offset = 0;
  const stored = changes.map((change): StoredChange => {
    if (change.op !== 'put') return change;
    const { old: _, ...rest } = change;
    if (!('bytes' in rest.source)) return { ...rest, source: rest.source };
    const { bytes, mode } = rest.source;
    pieces.push(bytes);
    offset += bytes.length;
    return { ...rest, source: { offset: offset - bytes.length, length: bytes.length, mode } };
  });
  const root = workspace.root.real;
  const header: Header = {
    owner: thisProcess(),
    root,
    rootId: rootIdOf(workspace),
    session,
    callId,
    ...(isDue && { isDue }),
    changes: stored,
  };
  ensureFolder(folderOf(home));
  const file = fileOf(home, name);
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

/** Undefined when it does not exist or can't be read: then nothing is done. */
export function readJournal(home: string, name: string): Journal | undefined {
  try {
    const file = fileOf(home, name);
    const all = readFileSync(file);
    const end = all.indexOf(0x0a);
    const header: Header = JSON.parse(all.toString('utf8', 0, end));
    const content = all.subarray(end + 1);
    const restore = (source: StoredSource): NewContent => {
      if ('kept' in source || 'link' in source) return source;
      const bytes = content.subarray(source.offset, source.offset + source.length);
      if (bytes.length !== source.length)
        throw new ToolError('LOG_DAMAGED', `The journal ${name} is cut off.`);
      return { bytes, mode: source.mode };
    };
    const changes = header.changes.map(
      (stored): Change => (stored.op === 'put' ? { ...stored, source: restore(stored.source) } : stored),
    );
    const owner = Owner().parse(header.owner);
    return { ...header, owner, name, slot: slotOf(name), changes, writtenMs: statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

/** Does the work that a journal announces; on failure the journal is removed. */
export function orRemoveJournal<T>(home: string, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    removeJournal(home, name);
    throw error;
  }
}

/** A journal that can't be removed does no harm: its call is recorded, so a later start only syncs and removes it. */
export function removeJournal(home: string, name: string): void {
  try {
    rmSync(fileOf(home, name), { force: true });
  } catch {
    // Tried again then.
  }
}

/** The names of all journals, those of one slot in the order of their sets. */
export function journalNames(home: string): string[] {
  if (!existsSync(folderOf(home))) return [];
  return readdirSync(folderOf(home))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort((a, b) => slotOf(a).localeCompare(slotOf(b)) || setOf(a) - setOf(b));
}

export function journalsOf(home: string, slot: string): Journal[] {
  return journalNames(home)
    .filter((name) => slotOf(name) === slot)
    .flatMap((name) => readJournal(home, name) ?? []);
}

export function setOf(name: string): number {
  return Number(name.split('.')[1] ?? 0);
}

/** False when another folder has the path of the workspace now, so that the journal no longer applies. */
export function isOfFolder({ rootId }: Pick<Journal, 'rootId'>, workspace: Workspace): boolean {
  return rootId === undefined || rootId === rootIdOf(workspace);
}

/** Device and inode of the workspace folder. */
function rootIdOf({ root }: Workspace): string {
  const { dev, ino } = fstatSync(root.fd);
  return `${dev}:${ino}`;
}

function slotOf(name: string): string {
  return name.split('.')[0] ?? name;
}

function folderOf(home: string): string {
  return join(home, journalFolder);
}

function fileOf(home: string, name: string): string {
  return join(folderOf(home), `${name}${ending}`);
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
