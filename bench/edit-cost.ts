// The cost that plan, rule, log, durable write and undo record add to an edit, against bare file calls.
import { writeFileSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { costs, mediansMs } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const lines = Array.from(
  { length: 21_000 },
  (_, i) => `line ${i} of a file with a megabyte of lines in it ....\n`,
);

/** A different line in each round, spread over the file. */
const spread = (n: number): number => (n * 7919) % lines.length;

export async function editCost(): Promise<Row[]> {
  using place = scratch();
  for (const name of ['ours.txt', 'bare.txt']) writeFileSync(join(place.root, name), lines.join(''));
  await using composed = await compose({ workspace: place.root, home: place.home, env: {}, mode: 'trusted' });
  let calls = 0;
  let bares = 0;
  const ours = async (): Promise<void> => {
    const n = spread(calls);
    const args = { path: 'ours.txt', old_string: `line ${n} of`, new_string: `LINE ${n} of` };
    const outcome = await runCall(composed.host, {
      id: `e${calls++}`,
      session: 'bench',
      tool: 'edit_file',
      args,
      dialect: 'kode',
    });
    if (outcome.status !== 'completed') throw new Error(outcome.error.message);
  };
  const bare = async (): Promise<void> => {
    const n = spread(bares++);
    const text = await readFile(join(place.root, 'bare.txt'), 'utf8');
    const file = await open(join(place.root, 'bare.tmp'), 'w');
    await file.writeFile(text.replace(`line ${n} of`, `LINE ${n} of`));
    await file.sync();
    await file.close();
    await rename(join(place.root, 'bare.tmp'), join(place.root, 'bare.txt'));
  };
  const [mine, baseline] = await costs([ours, bare], 20);
  if (mine === undefined || baseline === undefined) return [];
  return [
    {
      name: 'Edit of a 1 MB file, one of 20 all over it',
      ours: `${mine.ms.toFixed(2)} ms`,
      baseline: `read, replace, write, fsync ${baseline.ms.toFixed(2)} ms`,
      ratio: mine.ms / baseline.ms,
      cpuRatio: mine.cpuMs / baseline.cpuMs,
      goal: 1.5,
    },
    await hunkCost(),
  ];
}

async function hunkCost(): Promise<Row> {
  const { hunksFromSpans } = await import('../packages/runtime/src/edit/hunks-from-spans.ts');
  const { structuredPatch } = await import('diff');
  const before = lines.join('');
  const start = before.indexOf('line 10500 of');
  const span = { start, end: start + 4, replacement: 'LINE' };
  const after = `${before.slice(0, start)}LINE${before.slice(start + 4)}`;
  const [ours = Number.NaN, whole = Number.NaN] = await mediansMs(
    [() => hunksFromSpans(before, [span]), () => structuredPatch('a', 'a', before, after)],
    40,
  );
  return {
    name: 'structured patch of a one-line edit in 1 MB',
    ours: `${ours.toFixed(3)} ms`,
    baseline: `jsdiff ${whole.toFixed(2)} ms`,
    ratio: ours / whole,
    goal: 0.02,
  };
}
