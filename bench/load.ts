// Many sessions at one gateway, each with a socket: 5 % writes, 25 % lists, 70 % reads. At a fixed rate, and as fast as possible. Reports
// answers, refusals, times, memory, and whether every entry was delivered once and in order. The least gateway is in least/record-child.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writeEntries } from './least/entries-file.ts';
import { type Answer, type Client, type Gateway, part, startGateway, startLeast } from './many/gateway.ts';
import { usageOf } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const seconds = 15;
const sessions = 500;

/** `cpuMs`: the processor time of the gateway for one call. */
type Tally = {
  good: number;
  refused: number;
  failed: string[];
  ms: number[];
  seconds: number;
  cpuMs: number;
};

export async function load(): Promise<Row[]> {
  using place = scratch();
  mkdirSync(join(place.root, 'src'));
  for (let i = 0; i < 50; i++)
    writeFileSync(join(place.root, 'src', `f${i}.txt`), `${'x'.repeat(63)}\n`.repeat(20));
  await using gateway = await startGateway(place);
  const few = await openAll(gateway, 'few', 20);
  await measure(gateway, few);
  const fewRate = await measure(gateway, few);
  const many = await openAll(gateway, 'many', sessions);
  const steady = await measure(gateway, many, 1);
  const flood = await measure(gateway, many);
  const wrong = many.filter(({ seqs }) => seqs.some((seq, i) => seq <= (seqs[i - 1] ?? 0))).length;
  const full = await gateway.memory();
  for (const client of [...few, ...many]) client[Symbol.dispose]();
  await wait(30_000);
  const residentBytes = await gateway.memory();
  const least = await floodLeast(place);
  return [
    {
      name: `${sessions} sessions, 1 call/s each: p99${note(steady, wrong)}`,
      ours: `${part(steady.ms, 0.99).toFixed(0)} ms (p50 ${part(steady.ms, 0.5).toFixed(1)}; ${rateOf(steady)}/s good)`,
      baseline: '100 ms',
      ratio: steady.refused > 0 ? Number.POSITIVE_INFINITY : part(steady.ms, 0.99) / 100,
      goal: 1,
    },
    {
      name: `${sessions} sessions as fast as answered${note(flood, wrong)}`,
      ours: flooded(flood),
      baseline: `20 sessions ${rateOf(fewRate)}/s`,
      ratio: rateOf(fewRate) / rateOf(flood),
      goal: 1,
    },
    {
      name: 'the same against 2,500/s',
      ours: `${rateOf(flood)}/s`,
      baseline: '2500/s',
      ratio: 2500 / rateOf(flood),
      goal: 1,
    },
    {
      name: '  least: ws, JSON, bare file calls, the record',
      ours: flooded(least),
      baseline: '2500/s',
      ratio: 2500 / rateOf(least),
    },
    {
      name: 'memory 30 s after they have gone',
      ours: `${(residentBytes / 2 ** 20).toFixed(0)} MiB (${(full / 2 ** 20).toFixed(0)} before)`,
      baseline: '300 MiB',
      ratio: residentBytes / (300 * 2 ** 20),
      goal: 1,
    },
  ];
}

/** The same calls at the least gateway. */
async function floodLeast(place: Scratch): Promise<Tally> {
  const calls = {
    read_file: { path: 'src/f0.txt' },
    list_files: { path: 'src' },
    write_file: { path: 'out/0.txt', content: '0\n' },
  };
  await using gateway = await startLeast(await writeEntries(place, calls));
  const clients = await openAll(gateway, 'least', sessions);
  await measure(gateway, clients);
  const tally = await measure(gateway, clients);
  for (const client of clients) client[Symbol.dispose]();
  return tally;
}

async function openAll(gateway: Gateway, name: string, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let i = 0; i < count; i += 20)
    clients.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(20, count - i) }, (_, n) => gateway.open(`${name}${i + n}`)),
      )),
    );
  return clients;
}

/** With a rate, this many calls per second from each client; without, the next one after each answer. */
async function measure({ pid }: Gateway, clients: readonly Client[], perSecond?: number): Promise<Tally> {
  const tally: Tally = { good: 0, refused: 0, failed: [], ms: [], seconds, cpuMs: 0 };
  const cpuBefore = usageOf(pid).cpuMs;
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    clients.map(async (client, i) => {
      if (perSecond !== undefined) await wait((i / clients.length / perSecond) * 1000);
      for (let n = 0; performance.now() < until; n++) {
        const next = performance.now() + (perSecond === undefined ? 0 : 1000 / perSecond);
        count(tally, await sendOne(client, i, n));
        if (perSecond !== undefined) await wait(Math.max(0, next - performance.now()));
      }
    }),
  );
  tally.seconds = (performance.now() - began) / 1000;
  tally.cpuMs = (usageOf(pid).cpuMs - cpuBefore) / Math.max(1, tally.good);
  return tally;
}

function sendOne(client: Client, i: number, n: number): Promise<Answer> {
  const turn = (i * 7 + n) % 20;
  if (turn === 0) return client.call('write_file', { path: `out/${i}.txt`, content: `${n}\n` });
  if (turn <= 5) return client.call('list_files', { path: 'src' });
  return client.call('read_file', { path: `src/f${(i + n) % 50}.txt` });
}

function count(tally: Tally, { ms, error }: Answer): void {
  if (error === undefined) {
    tally.good++;
    tally.ms.push(ms);
  } else if (error === 'refused' || error.includes('CONCURRENT_LIMIT')) tally.refused++;
  else tally.failed.push(error);
}

function flooded(tally: Tally): string {
  return `${rateOf(tally)}/s, ${tally.cpuMs.toFixed(2)} ms of processor each (p99 ${part(tally.ms, 0.99).toFixed(0)} ms)`;
}

function rateOf({ good, seconds: elapsed }: Tally): number {
  return Math.round(good / elapsed);
}

function note({ refused, failed }: Tally, wrong: number): string {
  const [first] = failed;
  return [
    refused > 0 ? `, ${refused} REFUSED` : '',
    first === undefined ? '' : `, ${failed.length} FAILED (${first.slice(0, 120)})`,
    wrong > 0 ? `, ${wrong} sessions OUT OF ORDER` : '',
  ].join('');
}
