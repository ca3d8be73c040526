// The record as a running gateway proves it: the log it really writes to, and only as long as somebody waits.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const me = { subject: 'me', via: 'test', isOperator: true as const };

test('a log kept elsewhere is the one that is proven', async () => {
  using otherFolder = scratchFolder();
  const file = `${otherFolder.root}/record.db`;
  await using bench = await gatewayBench({ env: { CODELAB_LOG: `sqlite:${file}` } });
  const session = await bench.running.gateway.session('s1', me);
  await session.rename('A good name');
  const verify = async (): Promise<unknown> =>
    (await bench.request('/api/v1/sessions/s1/audit/verify')).json();
  expect(await verify()).toEqual({ ok: true, entries: 2 });
  const db = new DatabaseSync(file);
  db.exec(`UPDATE events SET json = replace(json, 'good', 'evil')`);
  db.close();
  expect(await verify()).toMatchObject({ ok: false, entries: 2, broken: { seq: 2 } });
});

test('when whoever asked is gone, it ends, and it is no fault', { timeout: 20_000 }, async () => {
  await using bench = await gatewayBench();
  const { gateway } = bench.running;
  const session = await gateway.session('s1', me);
  for (let n = 0; n < 300; n++) await session.rename(`${n}`.padEnd(30_000, '.'));
  const disconnect = new AbortController();
  const request = bench.request('/api/v1/sessions/s1/audit/verify', { signal: disconnect.signal });
  setTimeout(() => disconnect.abort(), 15);
  await expect(request).rejects.toThrow('aborted');
  // The next one has its turn only when that one has ended.
  expect(await (await bench.request('/api/v1/sessions/s1/audit/verify')).json()).toMatchObject({ ok: true });
  expect(bench.faults).toEqual([]);
});
