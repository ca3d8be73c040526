// The note beside the key about each log: its latest seal, so that cutting off the newest seals is detected, and the state of each anchor.
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { resourceLimit, ToolError } from '@codelab/protocol';
import { sha256 } from '@codelab/runtime';
import * as z from 'zod/mini';
import { Anchor } from '../../config/anchor.ts';
import { writeStateFile } from '../../config/state-file.ts';
import type { Written } from './seal.ts';

const Anchored = () =>
  z.strictObject({
    anchor: Anchor(),
    /** The latest seal that was written there, if any was. */
    n: z.optional(z.int()),
    time: z.optional(z.int()),
    /** Why the latest attempt failed, if it did. */
    problem: z.optional(z.string()),
  });

const SealNote = () =>
  z.strictObject({
    /** The log this is about. */
    file: z.string(),
    log: z.string(),
    n: z.int(),
    hash: z.string(),
    /** Most notes have none, and need no schema for one. */
    anchors: z.array(z.lazy(Anchored)),
  });

export type Anchored = z.infer<ReturnType<typeof Anchored>>;
export type SealNote = z.infer<ReturnType<typeof SealNote>>;

/** Named by the path of the log, not by its content: a log put in the place of another must not use its own note. */
export function noteFile(keys: string, log: string): string {
  return fileFor(keys, realPath(log));
}

/** The note's path if no folder of the log's path were a link; undefined when none is. */
export function noteFileAsNamed(keys: string, log: string): string | undefined {
  const named = resolve(log);
  // The address of servers is no path.
  return log.includes('://') || named === realPath(log) ? undefined : fileFor(keys, named);
}

function fileFor(keys: string, path: string): string {
  return join(keys, `audit-log-${sha256(path).slice(0, 32)}.json`);
}

export function readNote(keys: string, log: string): SealNote | undefined {
  return readNoteFile(noteFile(keys, log));
}

/** A note from before a folder was replaced by a link, perhaps to an older copy of the log: the log must match this note as well. */
export function readNoteAsNamed(keys: string, log: string): SealNote | undefined {
  const file = noteFileAsNamed(keys, log);
  return file === undefined ? undefined : readNoteFile(file);
}

function readNoteFile(file: string): SealNote | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return SealNote().parse(JSON.parse(text));
  } catch {
    throw unreadable(file, 'it is no note of a log');
  }
}

export function writeNote(keys: string, log: string, note: SealNote): void {
  writeStateFile(noteFile(keys, log), note);
}

export function realPath(log: string): string {
  try {
    return join(realpathSync(dirname(log)), basename(log));
  } catch {
    return log;
  }
}

/** Keys of other machines that seal the same log, as fingerprints. */
export function trustedKeys(keys: string): Set<string> {
  const file = trustedFile(keys);
  const text = readIfThere(file);
  if (text === undefined) return new Set();
  const parsed = z.array(z.string()).safeParse(parse(text));
  if (parsed.success) return new Set(parsed.data);
  throw unreadable(file, 'it is no JSON array of fingerprints');
}

export function trustedFile(keys: string): string {
  return join(keys, 'audit-trusted.json');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw resourceLimit(error) ?? unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(file: string, why: string): ToolError {
  return new ToolError(
    'IO_ERROR',
    `${file} can't be read: ${why}. Repair it, or remove it to start a new one.`,
  );
}

/** Notes the latest seal beside the key. A note that is ahead of the log, or of another log, is evidence and stays as it is. */
export type NotedLog = {
  /** The file of the log, or the address of its servers. */
  file: string;
  keys: string;
  /** The hash of the seal with this number; undefined when the log has none. */
  hashOf(n: number): string | undefined | Promise<string | undefined>;
};

/** Records a seal beside the key, unless a later seal is recorded there, or one that the log does not have. */
export async function noteSeal(store: NotedLog, { seal, hash }: Written): Promise<void> {
  const { file, keys } = store;
  const note = readNote(keys, file);
  if (note !== undefined && (note.n >= seal.n || !(await isInLog(store, note)))) return;
  writeNote(keys, file, {
    file: realPath(file),
    log: seal.log,
    n: seal.n,
    hash,
    anchors: note?.anchors ?? [],
  });
}

export async function isInLog(
  { hashOf }: Pick<NotedLog, 'hashOf'>,
  { n, hash }: Pick<SealNote, 'n' | 'hash'>,
): Promise<boolean> {
  return (await hashOf(n)) === hash;
}
