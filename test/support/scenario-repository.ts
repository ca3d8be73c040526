// The git side of a scenario: a first commit from `committed/`, then what `git.json` says is staged, and further branches.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newRepository, realGit } from './real-git.ts';

/** The files themselves come from `before/` afterwards. */
export function commitFirst(folder: string, workspace: string): void {
  const committed = join(folder, 'committed');
  if (!existsSync(committed)) return;
  const git = newRepository(workspace);
  cpSync(committed, workspace, { recursive: true });
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  for (const name of readdirSync(workspace))
    if (name !== '.git') rmSync(join(workspace, name), { recursive: true });
}

export function stage(folder: string, workspace: string): void {
  const file = join(folder, 'git.json');
  if (!existsSync(file)) return;
  const { staged = [], branches = [] } = JSON.parse(readFileSync(file, 'utf8'));
  const git = realGit(workspace);
  for (const path of staged) git('add', '--', path);
  for (const name of branches) git('branch', name);
}
