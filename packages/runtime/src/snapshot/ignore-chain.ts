// The ignore rules of git that apply in a folder: its own, then those of the folders above.
import { type Dirent, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Directory } from '../workspace/directory.ts';
import { readWhole } from '../workspace/read-bytes.ts';
import { type DirectoryRules, openBelow, parseIgnoreFile } from '../workspace/trees/ignore-rules.ts';
import type { TrackedFiles } from './git-state.ts';

const maxIgnoreBytes = 1024 * 1024;
const fileName = '.gitignore';

/** The folder's own rules. */
export function rulesIn(directory: Directory, entries: readonly Dirent[]): DirectoryRules | undefined {
  if (!entries.some(({ name }) => name === fileName)) return undefined;
  using file = openBelow(directory, fileName);
  if (file === undefined || file.stat.size > maxIgnoreBytes) return undefined;
  const rules = parseIgnoreFile(readWhole(file, fileName).toString());
  return { base: directory.real, isRepository: false, kinds: { '.gitignore': rules } };
}

export function ignoreRulesAbove(root: string, { repository }: TrackedFiles): DirectoryRules[] {
  return repository === undefined ? [] : rulesAbove(root, repository.top, repository.commonDirectory);
}

/**
 * Rules from outside that apply at the workspace's root: those of the folders above, up to the repository's top, and git's exclude file.
 */
function rulesAbove(root: string, top: string, commonDirectory: string): DirectoryRules[] {
  const chain: DirectoryRules[] = [];
  for (let at = root; at !== top && at !== dirname(at); ) {
    at = dirname(at);
    chain.push({ base: at, isRepository: false, kinds: { '.gitignore': parse(join(at, fileName)) } });
  }
  const exclude = parse(join(commonDirectory, 'info', 'exclude'));
  return [...chain, { base: top, isRepository: true, kinds: { exclude } }];
}

function parse(file: string): ReturnType<typeof parseIgnoreFile> {
  try {
    return parseIgnoreFile(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}
