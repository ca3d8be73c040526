// The meaning of a command line for git: whether git is started, and whether it would overwrite files of the workspace.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPart } from '@codelab/protocol';

/** A program that may change something, or a variable that decides what runs. */
export function isProgram({ verdict, words }: CommandPart): boolean {
  return verdict !== 'allow' && words.length > 0;
}

export function changesGit(part: CommandPart): boolean {
  return startsGit(part) && part.verdict !== 'allow';
}

type Words = Pick<CommandPart, 'words' | 'cwd'>;

export function startsGit({ words }: Words): boolean {
  return /(^|\/)git$/.test(words[0] ?? '');
}

// git commands that replace files of the working tree by other versions.
const replacing = new Set([
  ...['checkout', 'switch', 'merge', 'rebase', 'pull', 'stash', 'restore', 'cherry-pick', 'revert', 'am'],
  ...['apply', 'bisect', 'read-tree', 'checkout-index', 'sparse-checkout', 'filter-branch', 'submodule'],
  ...['worktree', 'mv', 'rm', 'clean'],
]);

/**
 * Where some files are read-only (`places`), git would stop midway and leave a mixture of two versions, unless the files are named one by
 * one and none of them is read-only.
 */
export function replacesFiles(part: Words, root: string, places: readonly string[]): boolean {
  if (!startsGit(part)) return false;
  const [command = '', ...rest] = afterOptions(part.words.slice(1));
  const files = part.words[1] === command ? namedFiles(command, rest, join(root, part.cwd ?? '')) : undefined;
  if (part.cwd !== undefined && files !== undefined)
    return places.some((place) => files.some((file) => place === file || place.startsWith(`${file}/`)));
  if (command === 'reset') return rest.some((word) => /^--(hard|merge|keep)$/.test(word));
  const isNewBranch = rest.length === 2 && /^-[bc]$/.test(rest[0] ?? '');
  return replacing.has(command) && !(isNewBranch && /^(checkout|switch)$/.test(command));
}

/** The files named to `git checkout` and `git restore`; undefined when a word may be a commit, a branch, a pattern or another option. */
function namedFiles(command: string, words: readonly string[], folder: string): string[] | undefined {
  const end = words.indexOf('--');
  const options = words.filter((word, at) => word.startsWith('-') && (end < 0 || at < end));
  if (!/^(checkout|restore)$/.test(command) || !options.every((word) => /^(-q|--quiet)$/.test(word)))
    return undefined;
  const files = end < 0 ? words.filter((word) => !word.startsWith('-')) : words.slice(end + 1);
  const isPlain = (word: string): boolean =>
    /^(?!:|\.\.?(\/|$))[^*?[\\]+$/.test(word) && !/(^|\/)\.\.(\/|$)/.test(word);
  if (files.length === 0 || !files.every(isPlain)) return undefined;
  // git refuses a name that is both a file and a branch.
  const isFile = (word: string): boolean =>
    lstatSync(join(folder, word), { throwIfNoEntry: false }) !== undefined;
  return command === 'restore' || end >= 0 || files.every(isFile)
    ? files.map((word) => join(folder, word).replace(/\/+$/, ''))
    : undefined;
}

function afterOptions(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (!first.startsWith('-')) return words;
  return afterOptions(/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(first) ? rest.slice(1) : rest);
}
