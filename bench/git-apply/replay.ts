// Replays one recorded call through the whole pipeline of the tool apply_patch, on a copy of git's tree.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { approveAll, workbench } from '../../test/support/workbench.ts';
import { readTree, type Tree } from './tree.ts';

type Recorded = {
  script: string;
  args: string[];
  /** The folder of the call in the worktree; '' is its root. */
  folder: string;
  /** The git settings that change what `git apply` does. */
  settings: string[];
  status: number;
};

export type Verdict = 'same tree' | 'both refuse' | 'we refuse' | 'only we apply' | 'another tree';

export type Comparison = Recorded & { place: string; verdict: Verdict; message: string };

export async function replay(place: string): Promise<Comparison> {
  const recorded: Recorded = JSON.parse(readFileSync(join(place, 'call.json'), 'utf8'));
  const ourFolder = join(place, 'ours');
  rmSync(ourFolder, { recursive: true, force: true });
  mkdirSync(ourFolder);
  const from = join(place, 'before', recorded.folder);
  if (existsSync(from))
    cpSync(from, join(ourFolder, 'work'), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
  const message = await apply(ourFolder, readFileSync(join(place, 'patch')).toString('utf8'));
  const actual = readTree(join(ourFolder, 'work'));
  // git may leave a refused patch half applied; our refusal must leave the tree unchanged.
  const expected = readTree(join(place, message === '' ? 'after' : 'before', recorded.folder));
  const verdict = compare(recorded.status === 0, message === '', isSame(actual, expected));
  rmSync(join(ourFolder, 'home'), { recursive: true, force: true });
  return { ...recorded, place, verdict, message };
}

/** Empty when the tool did it, otherwise why not. */
async function apply(folder: string, diff: string): Promise<string> {
  await using bench = await workbench({ folder, mode: 'trusted' });
  bench.human(approveAll);
  const outcome = await bench.call('apply_patch', { diff });
  return outcome.status === 'completed' ? '' : outcome.error.message || outcome.status;
}

function compare(isGitDone: boolean, isOursDone: boolean, isSameTree: boolean): Verdict {
  if (isOursDone && isGitDone) return isSameTree ? 'same tree' : 'another tree';
  if (isOursDone) return 'only we apply';
  if (!isSameTree) return 'another tree';
  return isGitDone ? 'we refuse' : 'both refuse';
}

function isSame(actual: Tree, expected: Tree): boolean {
  return JSON.stringify([...actual]) === JSON.stringify([...expected]);
}
