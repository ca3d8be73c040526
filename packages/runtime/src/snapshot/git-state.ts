// What of git's own state undo does not touch but people should hear about: where it stands, and what decides what it executes.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../git/find-repository.ts';
import { identity } from '../workspace/directory.ts';

export type GitState = ReadonlyMap<string, string>;

const standing = ['HEAD', 'index', 'packed-refs', 'logs/HEAD', 'refs/stash'];
const deciding = ['config', 'config.worktree', 'commondir', 'info/attributes', 'hooks'];

export function gitState(repository: Repository | undefined): GitState {
  const state = new Map<string, string>();
  if (repository === undefined) return state;
  const { gitDirectory, commonDirectory } = repository;
  for (const folder of new Set([gitDirectory, commonDirectory]))
    for (const name of [...standing, ...deciding, ...hooksIn(folder)]) {
      const stat = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined)
        state.set(join(folder, name), stat.isDirectory() ? 'directory' : identity(stat));
    }
  return state;
}

export function gitNotes(before: GitState, after: GitState, root: string): string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path));
  const isDeciding = (path: string): boolean =>
    deciding.some((name) => path.endsWith(`/${name}`)) || path.includes('/hooks/');
  const dangerous = changed.filter(isDeciding);
  return [
    ...(dangerous.length > 0
      ? [
          `It changed ${dangerous.join(', ')}, which decides what git executes. Look at it before you use git.`,
        ]
      : []),
    ...(changed.length > dangerous.length
      ? ["It changed git's own state (commits, branches or the index). Undo leaves that alone."]
      : []),
  ];
}

function hooksIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'hooks')).map((name) => join('hooks', name));
  } catch {
    return [];
  }
}
