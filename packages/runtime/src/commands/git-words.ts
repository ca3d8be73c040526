// What the words of a line say about git: whether it is started, and whether it would write over files of the workspace.
import type { CommandPart } from '@codelab/protocol';

type Words = Pick<CommandPart, 'words'>;

export function startsGit({ words }: Words): boolean {
  return /(^|\/)git$/.test(words[0] ?? '');
}

// Those that put other versions of files in the place of what is there.
const replacing = new Set([
  ...['checkout', 'switch', 'merge', 'rebase', 'pull', 'stash', 'restore', 'cherry-pick', 'revert', 'am'],
  ...['apply', 'bisect', 'read-tree', 'checkout-index', 'sparse-checkout', 'filter-branch', 'submodule'],
  ...['worktree', 'mv', 'rm', 'clean'],
]);

/** Where some files are read-only, git would stop in the middle and leave a mixture of two versions. */
export function replacesFiles(part: Words): boolean {
  if (!startsGit(part)) return false;
  const [command = '', ...rest] = afterOptions(part.words.slice(1));
  if (command === 'reset') return rest.some((word) => /^--(hard|merge|keep)$/.test(word));
  const isNewBranch = rest.length === 2 && /^-[bc]$/.test(rest[0] ?? '');
  return replacing.has(command) && !(isNewBranch && /^(checkout|switch)$/.test(command));
}

function afterOptions(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (!first.startsWith('-')) return words;
  return afterOptions(/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(first) ? rest.slice(1) : rest);
}
