// Names that are not UTF-8, as text: each invalid byte becomes a lone surrogate (as in Python's `surrogateescape`), so that a path can be
// compared and stored as text and still reaches the same file.
import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync } from 'node:fs';
import type { Directory, Name } from './directory.ts';

const escaped = /[\udc80-\udcff]/;
const base = 0xdc00;

/** The argument for system calls for a name or path that may hold such bytes. */
export function byteName(text: string): Name {
  if (!escaped.test(text) || text.isWellFormed()) return text;
  return Buffer.concat(
    [...text].map((char) => {
      const code = char.charCodeAt(0);
      return char.length === 1 && code >= 0xdc80 && code <= 0xdcff
        ? Buffer.from([code - base])
        : Buffer.from(char);
    }),
  );
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find(
      (many) => isUtf8(bytes.subarray(at, at + many)) && at + many <= bytes.length,
    );
    text +=
      length === undefined
        ? String.fromCharCode(base + (bytes[at] ?? 0))
        : bytes.subarray(at, at + length).toString();
    at += length ?? 1;
  }
  return text;
}

export type NamedEntry = { name: string; isFolder: boolean };

/** The entries of a folder, whatever their names. */
export function readNamedEntries(directory: Directory): NamedEntry[] {
  const entries = readdirSync(directory.at('.'), { withFileTypes: true });
  const isPlain = !entries.some(({ name }) => name.includes('\ufffd'));
  return isPlain ? entries.map(toNamed) : readEntriesAsBytes(directory.at('.'));
}

/** The same for a path as bytes. */
export function readEntriesAsBytes(path: string | Buffer): NamedEntry[] {
  return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: textOf(entry.name),
    isFolder: entry.isDirectory(),
  }));
}

function toNamed(entry: Dirent): NamedEntry {
  return { name: entry.name, isFolder: entry.isDirectory() };
}

/** How such a name or path looks when read as UTF-8: the form for logs, screens and other programs. */
export function lossyName(name: string): string {
  return byteName(name).toString();
}
