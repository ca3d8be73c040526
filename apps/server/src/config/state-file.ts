// Small JSON files of our own: read whole, replaced whole, private to the user.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { parseJsonc } from './read-jsonc.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Undefined when there is none. Only a file of the user's own in this very folder counts: where a link leads, a tool may write, and
 * a link that leads nowhere is no sign that there are no rules.
 */
export function readStateFile(file: string): unknown {
  const text = readOwn(file);
  return text === undefined ? undefined : parseJsonc(text, file);
}

function readOwn(file: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw refused(file, 'is a link. Put the file itself there');
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw refused(file, 'is no regular file. Move it away');
    const own = process.geteuid?.();
    // What the administrator put there is the administrator's word.
    if (own !== undefined && stat.uid !== own && stat.uid !== 0)
      throw refused(file, 'belongs to another user. Remove it, or take it over with chown');
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function refused(file: string, why: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `${file} ${why}: CodeLab reads its own files only.`, {
    path: file,
  });
}

export function writeStateFile(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temp = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const fd = openSync(temp, 'wx', 0o600);
  try {
    writeSync(fd, `${JSON.stringify(value, null, 2)}\n`);
    fsyncSync(fd);
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
