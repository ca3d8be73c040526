// A large patch: all of it or nothing, recorded and undoable, against git applying the same patch to the same tree. The least for it is in
// least/bare-patch.ts.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { createTwoFilesPatch } from 'diff';
import { writeEachSynced, writeWithJournal } from './least/bare-patch.ts';
import { openBareRecord } from './least/bare-record.ts';
import { type Cost, costOf, costRow, typical } from './measure.ts';
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
  const runs: Record<'ours' | 'git' | 'journal' | 'synced', Cost[]> = {
    ...{ ours: [], git: [], journal: [], synced: [] },
  };
  const after = (path: string): Buffer => readFileSync(join(gitTree, path));
  for (let round = 0; round < rounds; round++) {
    freshCopy(before, gitTree);
    runs.git.push(await costOf(() => gitApply(place, gitTree)));
    freshCopy(before, place.root);
    const { cost, bodies } = await ownApply(place, diff, `p${round}`);
    runs.ours.push(cost);
    const sample = 'd7/f7.txt';
    if (readFileSync(join(place.root, sample), 'utf8') !== readFileSync(join(gitTree, sample), 'utf8'))
      throw new Error('the trees differ');
    const changed = Array.from({ length: fileCount }, (_, n) => pathOf(n));
    const set = {
      root: place.root,
      folder: place.folder,
      files: changed.map((path) => ({ path, bytes: after(path) })),
    };
    const ways = [
      { name: 'journal', write: writeWithJournal },
      { name: 'synced', write: writeEachSynced },
    ] as const;
    // In turns: the first one pays for what the call before it has left to collect.
    for (const { name, write } of round % 2 === 0 ? ways : ways.toReversed()) {
      freshCopy(before, place.root);
      const record = openBareRecord(join(place.folder, `${name}${round}`), bodies);
      runs[name].push(await costOf(() => write(set, record)));
    }
  }
  const size = (diff.length / 1024 / 1024).toFixed(1);
  const row = (name: string, subject: keyof typeof runs, goal?: number): Row =>
    costRow(name, 'git apply', [typical(runs[subject]), typical(runs.git)], goal);
  return [
    row(`patch of 1,000 files, ${size} MB`, 'ours', 1.5),
    row('  least: old and new contents in one synced file each, the record', 'journal'),
    row('  instead: each file synced by itself, the record', 'synced'),
  ];
}

function makeTree(folder: string): string {
  const diffs: string[] = [];
  for (let n = 0; n < fileCount; n++) {
    const path = pathOf(n);
    mkdirSync(join(folder, `d${n % 50}`), { recursive: true });
    writeFileSync(join(folder, path), content(n, false));
    const diff = createTwoFilesPatch(`a/${path}`, `b/${path}`, content(n, false), content(n, true), '', '', {
      context: 40,
    });
    diffs.push(diff.replace(/^=+\n/, ''));
  }
  return diffs.join('');
}

function pathOf(n: number): string {
  return `d${n % 50}/f${n}.txt`;
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

function gitApply({ folder }: Scratch, tree: string): void {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
  const { status, stderr } = spawnSync('git', ['apply', join(folder, 'all.patch')], {
    cwd: tree,
    encoding: 'utf8',
    env,
  });
  if (status !== 0) throw new Error(stderr);
}

async function ownApply(
  { root, home }: Scratch,
  diff: string,
  id: string,
): Promise<{ cost: Cost; bodies: EventBody[] }> {
  await using composed = await compose({ workspace: root, home, env: {}, mode: 'trusted' });
  const cost = await costOf(async () => {
    const call = { id, session: id, tool: 'apply_patch', args: { diff } };
    const outcome = await runCall(composed.host, { ...call, dialect: 'coder' });
    if (outcome.status !== 'completed') throw new Error(outcome.error.message);
  });
  const events = await composed.host.log.read(id, { since: 0 });
  return { cost, bodies: events.map(({ body }) => body) };
}
