// Paths in patches that are read: names quoted as in git, and the prefixes `a/` and `b/`.
import { patchFailure } from '../file-patch.ts';

// A file name on a header line of a patch is quoted as in C, or ends at a tab.

/** Null for `/dev/null`, which means no file; a quoted "/dev/null" is a path. */
export function patchName(text: string, patchLine: number): string | null {
  const tab = text.startsWith('"') ? -1 : text.indexOf('\t');
  const withoutTime = tab === -1 ? text : text.slice(0, tab);
  if (withoutTime === '/dev/null') return null;
  const name = text.startsWith('"') ? unquoted(text, patchLine) : withoutTime;
  if (name === '') throw patchFailure('The file name is empty.', { patchLine });
  if (name.includes('\0')) throw patchFailure('The file name holds a NUL.', { patchLine });
  if (withoutTime === name && name.includes('\r'))
    throw patchFailure('The file name holds a carriage return that is not quoted.', { patchLine });
  return name;
}

function unquoted(text: string, patchLine: number): string {
  const unquoted = unquotePath(text);
  if (unquoted !== null && (unquoted.rest === '' || unquoted.rest.startsWith('\t'))) return unquoted.name;
  throw patchFailure('The quoted file name cannot be read.', { patchLine });
}

/** Reads a C-quoted name from its opening quote; null when the quoting is broken or not UTF-8. */
export function unquotePath(text: string): { name: string; rest: string } | null {
  const end = closingQuote(text);
  if (end === -1) return null;
  const inner = text.slice(1, end);
  const name = inner.includes('\\') ? decode(inner) : inner;
  return name === null ? null : { name, rest: text.slice(end + 1) };
}

const ESCAPED_BYTES: Record<string, number> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

function closingQuote(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at++;
  }
  return -1;
}

function decode(inner: string): string | null {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for (const [piece] of inner.matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+/gs)) {
    if (!piece.startsWith('\\')) {
      parts.push(encoder.encode(piece));
      continue;
    }
    const byte = piece.length === 4 ? Number.parseInt(piece.slice(1), 8) : ESCAPED_BYTES[piece.slice(1)];
    if (byte === undefined) return null;
    parts.push(Uint8Array.of(byte));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(concatenate(parts));
  } catch {
    return null;
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

// Removes `a/` and `b/`, or the prefixes of diff.mnemonicPrefix, from the two names of a file.

/**
 * `git diff` puts different prefixes on the two sides, so equal first folders on its header line are a real folder
 * (`--no-prefix`). In a plain diff, `a/` or `b/` on both sides is removed as well, as `git apply -p1` does.
 */
export function stripPrefixes(oldName: string, newName: string, isGitHeader: boolean): [string, string] {
  const isPrefixed =
    oldName[0] === newName[0]
      ? !isGitHeader && PLAIN_PREFIX.test(oldName) && PLAIN_PREFIX.test(newName)
      : GIT_PREFIX.test(oldName) && GIT_PREFIX.test(newName);
  return isPrefixed ? [oldName.slice(2), newName.slice(2)] : [oldName, newName];
}

const GIT_PREFIX = /^[abciow12]\//;
const PLAIN_PREFIX = /^[ab]\//;
