// While another process writes, calls wait, and everything else goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { workbench } from '../support/workbench.ts';

/** A second writer that holds the lock until it is disposed. */
function writerOf(file: string): Disposable {
  const db = new DatabaseSync(file);
  db.exec('BEGIN IMMEDIATE');
  return { [Symbol.dispose]: () => db.close() };
}

test.each([
  ['the lock of changes', 'commit.lock'],
  ['the session log', 'sessions.db'],
])('%s', async (_name, file) => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': 'a\n' } });
  await bench.call('write_file', { path: 'a.txt', content: 'first\n' });
  let call: ReturnType<typeof bench.call>;
  {
    using _writer = writerOf(join(bench.home, file));
    call = bench.call('write_file', { path: 'a.txt', content: 'second\n' });
    const isDone = await Promise.race([call.then(() => true), wait(200).then(() => false)]);
    expect(isDone).toBe(false);
    expect(await turnsDuring(wait(50))).toBeGreaterThan(10);
  }
  expect(await call).toMatchObject({ status: 'completed' });
});

test('a deletion of a session', async () => {
  using scratch = scratchFolder();
  const log = openSqliteLog(scratch.home);
  await log.append('s', [{ type: 'session.opened', workspace: '/w' }], { expected: 0 });
  let deleting: Promise<void>;
  {
    using _writer = writerOf(join(scratch.home, 'sessions.db'));
    deleting = log.delete('s');
    expect(await turnsDuring(wait(50))).toBeGreaterThan(10);
    expect(await log.sessions()).toHaveLength(1);
  }
  await deleting;
  expect(await log.sessions()).toEqual([]);
  await log.close();
});

test('two processes that begin in a new state folder at the same moment', async () => {
  using scratch = scratchFolder();
  const script = join(import.meta.dirname, '../support', 'open-at-once.ts');
  const begin = String(Date.now() + 1500);
  const outputs = await Promise.all(
    [1, 2].map(async () => {
      const child = spawn(process.execPath, [script, scratch.home, '40', begin]);
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return output;
    }),
  );
  expect(outputs).toEqual(['', '']);
});
