// The sandboxed /tmp of a session seen from outside: resolves a path there without following links.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { digest } from '../platform/digest.ts';
import { identity } from './directory.ts';

/** `taken` are the names directly in /tmp that lead to places of the machine, such as a workspace there. */
export type OwnTmp = { folder: string; taken: ReadonlySet<string> };

/** `isLinked`: a link is on the path or at its end, so the target is known only at run time. */
export type OwnPlace = { real: string; stat: BigIntStats | undefined; isLinked: boolean };

/** Undefined for a path outside the session's /tmp. */
export function findInTmp(tmp: OwnTmp | undefined, value: string): OwnPlace | undefined {
  if (tmp === undefined || !/^\/+tmp(\/|$)/.test(value) || value.includes('\0')) return undefined;
  const [, ...names] = value.split('/').filter((name) => name !== '' && name !== '.');
  // After a link, `..` leads elsewhere than the text says.
  if (names.includes('..') || tmp.taken.has(names[0] ?? '')) return undefined;
  let real = tmp.folder;
  let stat = lookAt(real);
  for (const name of names) {
    real = join(real, name);
    stat = stat?.isDirectory() ? lookAt(real) : undefined;
    if (stat?.isSymbolicLink()) return { real, stat, isLinked: true };
  }
  return { real, stat, isLinked: false };
}

const mostBytes = 1024 * 1024;

/** The print of the content, and the text where it is short enough to show. */
export function printInTmp({ real, stat, isLinked }: OwnPlace): { print: string; text?: string } {
  if (stat === undefined) return { print: 'nothing' };
  if (isLinked || !stat.isFile() || stat.size > mostBytes) return { print: identity(stat) };
  try {
    const bytes = readRegular(real);
    return { print: digest(bytes), text: bytes.toString('utf8') };
  } catch {
    return { print: identity(stat) };
  }
}

// A command may replace the file at any time, and reading a pipe would wait for a writer.
function readRegular(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile() || stat.size > mostBytes) throw new Error('not a file that is read');
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
