// The least that writes the files of a patch so that a crash leaves all of them or none, once they are known: no parsing, no placing of hunks.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BareRecord } from './bare-record.ts';

type FileSet = { root: string; folder: string; files: readonly { path: string; bytes: Buffer }[] };

/** As ours does it: old and new contents in one synced file each, then the files, which need no sync before the answer. */
export function writeWithJournal({ root, folder, files }: FileSet, record: BareRecord): void {
  const old = files.map(({ path }) => readFileSync(join(root, path)));
  record.begin();
  writeSynced(join(folder, 'kept'), Buffer.concat(old));
  writeSynced(join(folder, 'journal.tmp'), Buffer.concat(files.map(({ bytes }) => bytes)));
  renameSync(join(folder, 'journal.tmp'), join(folder, 'journal'));
  sync(folder);
  for (const { path, bytes } of files) writeFileSync(join(root, path), bytes, { flag: 'r+' });
  record.end();
}

/** Each file is a new one, on the disk before it takes the place of the old one. */
export function writeEachSynced({ root, files }: FileSet, record: BareRecord): void {
  record.begin();
  for (const { path, bytes } of files) {
    const target = join(root, path);
    readFileSync(target);
    writeSynced(`${target}.tmp`, bytes);
    renameSync(`${target}.tmp`, target);
  }
  for (const folder of new Set(files.map(({ path }) => dirname(join(root, path))))) sync(folder);
  record.end();
}

function writeSynced(path: string, bytes: Buffer): void {
  writeFileSync(path, bytes, { flush: true });
}

function sync(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
