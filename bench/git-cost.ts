// The cost that the whole pipeline, with everything disarmed, adds to `git status` on a tree of 20,000 files.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { costRow, costs } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const folders = 200;
const filesEach = 100;
const bareName = 'git status --porcelain=v2';

export async function gitCost(): Promise<Row[]> {
  using place = scratch();
  makeTree(place.root);
  await using composed = await compose({ workspace: place.root, home: place.home, env: {} });
  let calls = 0;
  const ours = async (): Promise<void> => {
    const call = {
      id: `c${calls++}`,
      session: 'bench',
      tool: 'git.status',
      args: {},
      dialect: 'codelab',
    } as const;
    const { status } = await runCall(composed.host, call);
    if (status !== 'completed') throw new Error(status);
  };
  const clean = await costs([ours, () => plainGit(place.root)], 40);
  for (let i = 0; i < filesEach; i++) writeFileSync(join(place.root, 'f7', `changed${i}.ts`), 'new\n');
  for (let i = 0; i < folders; i++) writeFileSync(join(place.root, `f${i}`, '0.ts'), 'changed\n');
  const changed = await costs([ours, () => plainGit(place.root)], 40);
  return [
    costRow('git.status of 20,000 files, clean', bareName, clean, 1.2),
    costRow('git.status of 20,000 files, 300 changed', bareName, changed, 1.2),
  ];
}

function makeTree(root: string): void {
  for (let i = 0; i < folders; i++) {
    mkdirSync(join(root, `f${i}`));
    for (let j = 0; j < filesEach; j++)
      writeFileSync(join(root, `f${i}`, `${j}.ts`), `export const x = ${i + j};\n`);
  }
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '-m', 'x');
}

/** The plain program from Node, its output read to the end. */
function plainGit(root: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['status', '--porcelain=v2'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
