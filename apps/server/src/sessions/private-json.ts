// A small JSON file that only its owner reads, replaced as a whole, so that a crash leaves the old one or the new one.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureFolder, randomId } from '@codelab/runtime';

/** Undefined for a file that is missing or can't be read. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

export function writeJson(file: string, value: unknown): void {
  const temp = `${file}.${randomId().slice(0, 12)}.tmp`;
  ensureFolder(dirname(file));
  try {
    writeFileSync(temp, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}
