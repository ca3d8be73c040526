// Paths below the workspace as git takes them: from the top of the repository, and never anything above the workspace.
import type { Workspace } from '../workspace/workspace.ts';
import { findRepository } from './find-repository.ts';

export function pathSpecs(workspace: Workspace, paths: readonly string[]): string[] {
  const { prefix } = findRepository(workspace.root.real);
  const whole = prefix === '' ? '.' : prefix.slice(0, -1);
  if (paths.length === 0) return prefix === '' ? [] : [whole];
  return paths.map((path) => (path === '.' ? whole : `${prefix}${path}`));
}
