// Notes the latest seal beside the key. A note that is ahead of the log, or of another log, is evidence and stays as it is.
import type { DatabaseSync } from 'node:sqlite';
import { readNote, realPath, type SealNote, writeNote } from './seal-note.ts';
import { hashOfSeal, type Written } from './write-seal.ts';

export type NotedLog = { db: DatabaseSync; file: string; keys: string };

export function noteSeal(store: NotedLog, { seal, hash }: Written): void {
  const { file, keys } = store;
  const note = readNote(keys, file);
  if (note !== undefined && (note.n >= seal.n || !isInLog(store, note))) return;
  writeNote(keys, file, {
    file: realPath(file),
    log: seal.log,
    n: seal.n,
    hash,
    anchors: note?.anchors ?? [],
  });
}

export function isInLog({ db }: { db: DatabaseSync }, { n, hash }: Pick<SealNote, 'n' | 'hash'>): boolean {
  return hashOfSeal(db, n) === hash;
}
