// Ignore files as git and ripgrep read them: where they are, where they apply, and their rules.
import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Directory } from '../directory.ts';
import type { RegularFile } from '../read-bytes.ts';
import { compileGlob } from './glob.ts';

// How far up ignore files count: inside a repository, to its top, as in git. Elsewhere a `.gitignore` counts too, but none above the
// workspace: many home folders have one that ignores everything.
export const ignoreFileNames = ['.rgignore', '.ignore', '.gitignore'] as const;

/** The topmost directory whose ignore files count, and whether that is a repository. */
type IgnoreScope = { top: string; isRepository: boolean };

export function ignoreScope(root: string): IgnoreScope {
  const repository = [root, ...above(root)].find((directory) => existsSync(join(directory, '.git')));
  return { top: repository ?? root, isRepository: repository !== undefined };
}

export function ignoreArguments(root: string): string[] {
  if (ignoreScope(root).isRepository) return [];
  const hasForeign = above(root).some((directory) =>
    ignoreFileNames.some((name) => existsSync(join(directory, name))),
  );
  return ['--no-require-git', ...(hasForeign ? ['--no-ignore-parent'] : [])];
}

/** All directories above a path, nearest first. */
export function above(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...above(parent)];
}

/** Applies ignore files to a path for the built-in search: as in git and ripgrep, the nearest file and its last line win. */
type Rule = { test(path: string): boolean; isNegated: boolean; forDirectories: boolean };

/** The rules of one directory, by the kind of file they come from; `exclude` is git's own list. */
export type DirectoryRules = {
  /** Real path of the directory. */
  base: string;
  isRepository: boolean;
  kinds: Partial<Record<IgnoreFileKind, readonly Rule[]>>;
};

const kinds = [...ignoreFileNames, 'exclude'] as const;
export type IgnoreFileKind = (typeof kinds)[number];

/** `chain` are the directories from the one that holds the path upwards. */
export function isIgnored(chain: readonly DirectoryRules[], path: string, isDirectory: boolean): boolean {
  for (const kind of kinds) {
    const rule = lastMatch(chain, kind, path, isDirectory);
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

function lastMatch(
  chain: readonly DirectoryRules[],
  kind: IgnoreFileKind,
  path: string,
  isDirectory: boolean,
): Rule | undefined {
  const isGits = kind === '.gitignore' || kind === 'exclude';
  for (const { base, isRepository, kinds: rules } of chain) {
    const below = asBytes(path.slice(base.length).replace(/^\//, ''));
    const rule = rules[kind]?.findLast((line) => (isDirectory || !line.forDirectories) && line.test(below));
    if (rule !== undefined) return rule;
    // Git's ignore files do not apply beyond their repository.
    if (isGits && isRepository) return undefined;
  }
  return undefined;
}

export function parseIgnoreFile(text: string): Rule[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): Rule | undefined {
  const trimmed = line.replace(/(?<!\\) +$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const isNegated = trimmed.startsWith('!');
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const forDirectories = pattern.endsWith('/');
  const core = forDirectories ? pattern.slice(0, -1) : pattern;
  if (core === '') return undefined;
  return { isNegated, forDirectories, test: testFor(asBytes(core)) };
}

// Braces are literal in ignore files, and `a/**` matches the content of a, not a itself.
function testFor(pattern: string): (path: string) => boolean {
  const literal = pattern.replace(/[{}]/g, '\\$&').replace(/(^|\/)\*\*$/, '$1**/*');
  if (pattern.includes('/')) return compileGlob(literal.replace(/^\//, ''));
  const isMatch = compileGlob(literal);
  return (path) => isMatch(path.slice(path.lastIndexOf('/') + 1));
}

// To git a `?` is one byte.
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Opens a regular file directly below an open directory; undefined when it is gone or is now a link, a FIFO or the like. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function openBelow(directory: Directory, name: string): RegularFile | undefined {
  let fd: number;
  try {
    fd = openSync(directory.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  const stat = fstatSync(fd, { bigint: true });
  if (stat.isFile()) return { fd, stat, [Symbol.dispose]: () => closeSync(fd) };
  closeSync(fd);
  return undefined;
}
