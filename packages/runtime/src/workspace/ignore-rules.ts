// What ignore files say about a path, for the built-in search: as git and ripgrep read them, the nearest file and its last line win.

import { compileGlob } from './glob.ts';
import { ignoreFileNames } from './ignore-scope.ts';

type Rule = { test(path: string): boolean; isNegated: boolean; forDirectories: boolean };

/** The rules of one directory, by the kind of file they come from; `exclude` is git's own list. */
export type DirectoryRules = {
  /** Real path of the directory. */
  base: string;
  isRepository: boolean;
  kinds: Partial<Record<Kind, readonly Rule[]>>;
};

const kinds = [...ignoreFileNames, 'exclude'] as const;
export type Kind = (typeof kinds)[number];

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
  kind: Kind,
  path: string,
  isDirectory: boolean,
): Rule | undefined {
  const isGits = kind === '.gitignore' || kind === 'exclude';
  for (const { base, isRepository, kinds: own } of chain) {
    const below = asBytes(path.slice(base.length).replace(/^\//, ''));
    const rule = own[kind]?.findLast((one) => (isDirectory || !one.forDirectories) && one.test(below));
    if (rule !== undefined) return rule;
    // What git ignores ends with its repository.
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

// Braces mean nothing in ignore files, and `a/**` is what lies in a, not a itself.
function testFor(pattern: string): (path: string) => boolean {
  const literal = pattern.replace(/[{}]/g, '\\$&').replace(/(^|\/)\*\*$/, '$1**/*');
  if (pattern.includes('/')) return compileGlob(literal.replace(/^\//, ''));
  const isMatch = compileGlob(literal);
  return (path) => isMatch(path.slice(path.lastIndexOf('/') + 1));
}

// To git a `?` is a byte.
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
