// A listener that does not keep up with a session: it costs the gateway almost nothing, and in the end it has received
// everything.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';

const me = { subject: 'me', via: 'test', isOperator: true as const };
const megabyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapMegabytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed / megabyte;
};

test('a hundred entries of a megabyte wait in the log, not in memory, and are read there in small pages', {
  timeout: 60_000,
}, async () => {
  await using bench = await gatewayBench();
  const { gateway } = bench.running;
  const session = await gateway.session('s1', me);
  const stop = new AbortController();
  const listening = session.listen({ since: 0, signal: stop.signal })[Symbol.asyncIterator]();
  expect(await listening.next()).toMatchObject({ value: { event: { seq: 1 } } });
  const title = (n: number): string => `${n} ${String(n % 10).repeat(megabyte)}`;
  for (let n = 0; n < 10; n++) await session.rename(title(n));
  const before = heapMegabytes();
  for (let n = 10; n < 100; n++) await session.rename(title(n));
  expect(heapMegabytes() - before).toBeLessThan(20);

  const page = await gateway.host.log.read('s1', { since: 1, limit: 500, maxChars: 4 * megabyte });
  expect(page.map(({ seq }) => seq)).toEqual([2, 3, 4]);

  for (let n = 0; n < 100; n++) {
    const { value } = await listening.next();
    expect(value.event.seq).toBe(n + 2);
    expect(value.event.body.title === title(n)).toBe(true);
  }
  stop.abort();
  await listening.return?.();
});

test('what is read again and what is told live meet without a gap', async () => {
  await using bench = await gatewayBench();
  const session = await bench.running.gateway.session('s1', me);
  const stop = new AbortController();
  const listening = session.listen({ since: 0, signal: stop.signal })[Symbol.asyncIterator]();
  const seqs: number[] = [];
  const hear = async (): Promise<void> => {
    const { value } = await listening.next();
    if (value.type === 'event') seqs.push(value.event.seq);
  };
  await hear();
  // Behind by far, then reading while more is said, then caught up.
  for (let n = 0; n < 600; n++) await session.rename(`early ${n}`);
  const reading = (async () => {
    while (seqs.length < 801) await hear();
  })();
  for (let n = 0; n < 200; n++) await session.rename(`late ${n}`);
  await reading;
  expect(seqs).toEqual(Array.from({ length: 801 }, (_, i) => i + 1));
  stop.abort();
  await listening.return?.();
});
