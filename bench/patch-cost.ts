// A large patch: all of it or nothing, recorded and undoable, against git applying the same patch to the same tree.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { createTwoFilesPatch } from 'diff';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const rounds = 7;
const fileCount = 1000;

export async function patchCost(): Promise<Row[]> {
  using place = scratch();
  const before = join(place.folder, 'before');
  const gitTree = join(place.folder, 'git');
  const diff = makeTree(before);
  writeFileSync(join(place.folder, 'all.patch'), diff);
  const ours: number[] = [];
  const git: number[] = [];
  for (let round = 0; round < rounds; round++) {
    freshCopy(before, gitTree);
    git.push(gitApply(place, gitTree));
    freshCopy(before, place.root);
    ours.push(await ownApply(place, diff, `p${round}`));
    const sample = 'd7/f7.txt';
    if (readFileSync(join(place.root, sample), 'utf8') !== readFileSync(join(gitTree, sample), 'utf8'))
      throw new Error('the trees differ');
  }
  const size = (diff.length / 1024 / 1024).toFixed(1);
  const name = `patch of 1,000 files, ${size} MB`;
  return [
    {
      name,
      ours: `${median(ours).toFixed(0)} ms`,
      baseline: `git apply ${median(git).toFixed(0)} ms`,
      ratio: median(ours) / median(git),
      goal: 1.5,
    },
  ];
}

function makeTree(folder: string): string {
  const diffs: string[] = [];
  for (let n = 0; n < fileCount; n++) {
    const path = `d${n % 50}/f${n}.txt`;
    mkdirSync(join(folder, `d${n % 50}`), { recursive: true });
    writeFileSync(join(folder, path), content(n, false));
    const diff = createTwoFilesPatch(`a/${path}`, `b/${path}`, content(n, false), content(n, true), '', '', {
      context: 40,
    });
    diffs.push(diff.replace(/^=+\n/, ''));
  }
  return diffs.join('');
}

function content(n: number, isChanged: boolean): string {
  const line = (i: number): string =>
    `${isChanged && i % 20 === 7 ? 'CHANGED' : 'line'} ${n}.${i} ${'x'.repeat(40)}\n`;
  return Array.from({ length: 80 }, (_, i) => line(i)).join('');
}

function freshCopy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

function gitApply({ folder }: Scratch, tree: string): number {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
  const start = performance.now();
  const { status, stderr } = spawnSync('git', ['apply', join(folder, 'all.patch')], {
    cwd: tree,
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

async function ownApply({ root, home }: Scratch, diff: string, id: string): Promise<number> {
  await using composed = await compose({ workspace: root, home, env: {}, mode: 'trusted' });
  const start = performance.now();
  const outcome = await runCall(composed.host, {
    id,
    session: id,
    tool: 'apply_patch',
    args: { diff },
    dialect: 'coder',
  });
  if (outcome.status !== 'completed') throw new Error(outcome.error.message);
  return performance.now() - start;
}

function median(list: number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}
