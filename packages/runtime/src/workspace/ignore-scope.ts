// How far up ignore files count. Inside a repository as git sees it: up to its top. Elsewhere a `.gitignore` counts too, but none above
// the workspace: many a home folder has one that ignores everything.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
