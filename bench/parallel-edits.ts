// Ten edits of different lines of one file, sent together over a socket: how many of them succeed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway } from './many/gateway.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const edits = 10;

export async function parallelEdits(): Promise<Row[]> {
  using place = scratch();
  const file = join(place.root, 'a.txt');
  const lines = Array.from({ length: edits }, (_, i) => `line ${i}.`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  await using gateway = await startGateway(place);
  using client = await gateway.open('edits');
  const answers = await Promise.all(
    lines.map((line) =>
      client.call('edit_file', { path: 'a.txt', old_string: line, new_string: `${line} changed` }),
    ),
  );
  const appliedEdits = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('changed')).length;
  const good = answers.filter(({ error }) => error === undefined).length;
  return [
    {
      name: `${edits} edits of one file at once: made, and answered well`,
      ours: `${appliedEdits}, ${good}`,
      baseline: `${edits} sent`,
      ratio: appliedEdits === good ? edits / appliedEdits : Number.POSITIVE_INFINITY,
      goal: 1,
    },
  ];
}
