// The effect of one session's work on another: a read while other sessions run commands, against the same read alone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, part, startGateway } from './many/gateway.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const reads = 400;
const sleepers = 3;

export async function neighbours(): Promise<Row[]> {
  using place = scratch();
  writeFileSync(join(place.root, 'notes.txt'), `${'x'.repeat(63)}\n`);
  await using gateway = await startGateway(place);
  using busy = await gateway.open('busy');
  using quiet = await gateway.open('quiet');
  await median(quiet);
  const alone = await median(quiet);
  const commands = Array.from({ length: sleepers }, () => busy.call('run_command', { command: 'sleep 6' }));
  const besideLoad = await median(quiet);
  await Promise.all(commands);
  return [
    {
      name: `read_file beside ${sleepers} commands of another session, median`,
      ours: `${besideLoad.toFixed(2)} ms`,
      baseline: `alone ${alone.toFixed(2)} ms`,
      ratio: besideLoad / alone,
      goal: 2,
    },
  ];
}

async function median(client: Client): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < reads; i++) times.push((await client.call('read_file', { path: 'notes.txt' })).ms);
  return part(times, 0.5);
}
