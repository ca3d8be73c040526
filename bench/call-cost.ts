// The cost that the whole pipeline, with policy and log, adds to reading a file, in one process.
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { type Cost, costs } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

export async function callCost(): Promise<Row[]> {
  using place = scratch();
  const line = `${'x'.repeat(63)}\n`;
  writeFileSync(join(place.root, 'small.txt'), line.repeat(16));
  writeFileSync(join(place.root, 'large.txt'), line.repeat(16_384));
  // Every text differs: equal texts are stored once, and here each has to be stored.
  for (let i = 0; i < 220; i++)
    writeFileSync(join(place.root, `large${i}.txt`), `${i}\n${line.repeat(16_300)}`);
  await using composed = await compose({ workspace: place.root, home: place.home, env: {} });
  let calls = 0;
  const read = (path: string): Promise<unknown> =>
    runCall(composed.host, {
      id: `c${calls++}`,
      session: 'bench',
      tool: 'read_file',
      args: { path },
      dialect: 'codelab',
    });
  const bare = (path: string): Promise<unknown> => readFile(join(place.root, path), 'utf8');
  let n = 0;
  let m = 0;
  return [
    row(
      'read 1 KB, whole pipeline',
      await costs([() => read('small.txt'), () => bare('small.txt')], 2000),
      10,
    ),
    row('read 1 MB, whole pipeline', await costs([() => read('large.txt'), () => bare('large.txt')], 200), 2),
    row(
      'read 1 MB, each file for the first time',
      await costs([() => read(`large${n++}.txt`), () => bare(`large${m++}.txt`)], 200),
      2,
    ),
  ];
}

function row(name: string, [ours, baseline]: readonly Cost[], goal: number): Row {
  if (ours === undefined || baseline === undefined) throw new Error('nothing was measured');
  return {
    name,
    ours: `${ours.ms.toFixed(3)} ms`,
    baseline: `fs.promises.readFile ${baseline.ms.toFixed(3)} ms`,
    ratio: ours.ms / baseline.ms,
    cpuRatio: ours.cpuMs / baseline.cpuMs,
    goal,
  };
}
