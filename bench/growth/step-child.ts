// A host in a separate process, so that its memory can be measured: makes calls in a session on request, and reports the processor time of
// each kind of call.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';

const [root = '', home = '', session = ''] = process.argv.slice(2);
const composed = await compose({ workspace: root, home, env: {}, mode: 'trusted' });
let calls = 0;
writeFileSync(join(root, 'edited.txt'), 'number 0\n');

async function call(tool: string, args: Record<string, unknown>): Promise<void> {
  const outcome = await runCall(composed.host, {
    ...{ id: `step${calls++}-${process.pid}`, session, tool, args, dialect: 'codelab' },
  });
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome.error));
}

let edits = 0;
const work = {
  read: () => call('read_file', { path: 'notes.txt' }),
  edit: () =>
    call('edit_file', {
      path: 'edited.txt',
      old_string: `number ${edits}`,
      new_string: `number ${++edits}`,
    }),
};

process.on(
  'message',
  ({ kind, count }: { kind: keyof typeof work; count: number }) => void measure(kind, count),
);

async function measure(kind: keyof typeof work, count: number): Promise<void> {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) await work[kind]();
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1000 / count);
}

process.once('disconnect', () => void composed[Symbol.asyncDispose]().then(() => process.exit()));
// The first call reads the whole session once.
await work.read();
process.send?.('ready');
