// Paths and names: valid paths, the caller's spelling of a path, and names that some file system treats as the same.
import { type BigIntStats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { Directory } from './directory.ts';
import { fromWindows, type PathFlavour, windowsNameFault, windowsStart } from './windows-paths.ts';

/** Checks the spelling of a path before the disk is touched; returns plain names below the root. */
const maxNameBytes = 255;

const flavourHere: PathFlavour = sep === '\\' ? 'windows' : 'posix';

/** The names of a relative path; `.` and doubled slashes vanish, everything else is taken literally and never trimmed or decoded. */
export function parsePath(
  path: string,
  limits: { pathChars: number },
  flavour: PathFlavour = flavourHere,
): string[] {
  if (path === '') throw invalid(path, 'is empty', 'empty');
  if (path.includes('\0')) throw invalid(path, 'holds a NUL character', 'characters');
  // A character has at most two code units, so only texts that could fit are counted.
  if (path.length > 2 * limits.pathChars || [...path].length > limits.pathChars)
    throw invalid(path, `has more than ${limits.pathChars} characters`, 'length');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) throw invalid(path, 'is a URL', 'url');
  if (path.startsWith('/')) throw outside(path, 'absolute');
  const isWindows = flavour === 'windows';
  const start = isWindows ? windowsStart(path) : 'relative';
  if (start === 'drive-relative') throw invalid(path, 'names a stream or a drive with `:`', 'characters');
  if (start !== 'relative') throw outside(path, 'absolute');

  const names: string[] = [];
  let hasParent = false;
  for (const name of path.split(isWindows ? /[\\/]/ : '/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      hasParent = true;
      if (names.pop() === undefined) throw outside(path, 'traversal');
      continue;
    }
    if (Buffer.byteLength(name) > maxNameBytes)
      throw invalid(path, `has a name of more than ${maxNameBytes} bytes`, 'length');
    const fault = isWindows ? windowsNameFault(name) : undefined;
    if (fault !== undefined) throw invalid(path, fault, 'characters');
    names.push(name);
  }
  if (hasParent) throw invalid(path, 'holds `..`', 'traversal');
  return names;
}

function invalid(path: string, fault: string, reason: string): ToolError {
  return new ToolError(
    'INVALID_PATH',
    `The path ${JSON.stringify(shorten(path))} ${fault}. Give a relative path inside the workspace.`,
    { reason },
  );
}

export function outside(path: string, reason: 'absolute' | 'traversal' | 'symlink'): ToolError {
  return new ToolError(
    'PATH_OUTSIDE_WORKSPACE',
    `The path ${JSON.stringify(shorten(path))} leads out of the workspace.`,
    { reason },
  );
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

// Absolute paths into the workspace, `file://` URLs, `~/`, and the `a/` and `b/` of diffs become relative paths before anything is checked.
// All others stay as they are, to be refused when they are resolved.

// Longer than any system accepts; nothing longer is looked up.
const maxChars = 4096;

export function relativePath(root: Directory, path: string): string {
  if (flavourHere === 'windows') return fromWindows(root.real, path);
  if (path.length > maxChars || path.includes('\0')) return path;
  if (path.startsWith('/')) return fromRoot(root, path) ?? path;
  if (/^file:\/\/(localhost)?\//i.test(path)) return fromRoot(root, addressPath(path)) ?? path;
  if (/^~(\/|$)/.test(path)) return fromHome(root, path);
  return /^[ab]\//.test(path) ? fromDiff(root, path) : path;
}

function fromRoot(root: Directory, path: string): string | undefined {
  if (path.split('/').includes('..')) return undefined;
  const end =
    path === root.real || path.startsWith(`${root.real}/`) ? root.real.length : endOfRoot(root, path);
  return end === undefined ? undefined : path.slice(end).replace(/^\/+/, '') || '.';
}

function addressPath(address: string): string {
  const path = address.replace(/^file:\/\/[^/]*/i, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fromHome(root: Directory, path: string): string {
  if (statOf(root.at('~')) !== undefined) return path;
  const inside = fromRoot(root, homedir() + path.slice(1));
  if (inside !== undefined) return inside;
  const rest = path.replace(/^~\/*/, '') || '.';
  const message = `The path ${JSON.stringify(shorten(path))} begins with \`~\`, the home folder, which is outside of the workspace. Paths start at the workspace's root: ${JSON.stringify(shorten(rest))} is the one in it.`;
  throw new ToolError('PATH_OUTSIDE_WORKSPACE', message, { reason: 'home' });
}

/** Diffs put `a/` and `b/` before a path; they are dropped where there is no such folder and the rest exists. */
function fromDiff(root: Directory, path: string): string {
  const rest = path.slice(2);
  const isPrefix = statOf(root.at(path[0] ?? '')) === undefined && !/(^|\/)\.\.(\/|$)/.test(rest);
  // Only checks existence; the path is resolved again, name by name, below the open root.
  return isPrefix && rest !== '' && statOf(root.at(rest)) !== undefined ? rest : path;
}

/**
 * The end of the path's prefix that leads to the root through symbolic links. Only the root itself counts, known by its identity; the rest
 * is resolved below the open root, so that a link swapped later leads nowhere else.
 */
function endOfRoot(root: Directory, path: string): number | undefined {
  // Links there name open files of some process, which is no spelling of a folder.
  if (/^\/+(proc|dev)(\/|$)/.test(path)) return undefined;
  const held = statSync(root.at('.'), { bigint: true });
  for (const { index } of path.matchAll(/(?<=[^/])(?=\/|$)/g)) {
    const stat = statOf(path.slice(0, index));
    if (stat?.isDirectory() !== true) return undefined;
    if (stat.dev === held.dev && stat.ino === held.ino) return index;
  }
  return undefined;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder that cannot be read cannot be the root either.
    return undefined;
  }
}

// File names as lenient file systems compare them: without case and invisible characters.

// HFS+ ignores such characters in names; NTFS ignores trailing dots and blanks.
const ignored = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

// Windows short names of files that must not be reached under a second name.
const shortNames: readonly (readonly [RegExp, string])[] = [
  [/^git~[1-4]$/, '.git'],
  [/^codela~[1-4]$/, '.codelab'],
];

/** `.GIT`, `.g\u200cit`, `.git ` and `git~1` all mean `.git` on some system. */
function foldName(name: string): string {
  const written = /^[\x21-\x7e]*$/.test(name) ? name : name.normalize('NFKC').replace(ignored, '');
  const folded = written.toLowerCase().replace(/[. ]+$/, '');
  if (!folded.includes('~')) return folded;
  return shortNames.find(([short]) => short.test(folded))?.[1] ?? folded;
}

export function foldPath(path: string): string {
  return path === '.' ? '.' : path.split('/').map(foldName).join('/');
}
