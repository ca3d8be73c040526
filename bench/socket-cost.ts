// A tool call over a WebSocket against a bare `ws` echo of the same sizes: one at a time, and with many under way. The least for it is in
// least/record-child.ts.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillSession } from './growth/fill-session.ts';
import { writeEntries } from './least/entries-file.ts';
import { usageOf } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';
import { openPeer, type Peer } from './socket/peer.ts';

const token = 'bench-token';
const atOnce = 32;
const rounds = 7;
const perRound = { alone: 300, together: 2000 };
const fileText = `${'x'.repeat(63)}\n`;
const answerBytes = 280;

export async function socketCost(): Promise<Row[]> {
  using place = scratch();
  await using stack = new AsyncDisposableStack();
  writeFileSync(join(place.root, 'notes.txt'), fileText);
  await fillSession(place, 'long', 100_000);
  const gateway = await startChild(stack, 'socket/gateway-child.ts', [place.root, place.home, token]);
  const echoServer = await startChild(stack, 'socket/echo-child.ts', [String(answerBytes)]);
  const isResult = (text: string): boolean => text.startsWith('{"type":"tool_result"');
  const open = async (session: string): Promise<Peer> =>
    stack.use(await openPeer(`ws://127.0.0.1:${gateway.port}/ws/${session}?token=${token}`, isResult));
  const least = await writeEntries(place, { read_file: { path: 'notes.txt' }, todoread: {} });
  const leastServer = await startChild(stack, 'least/record-child.ts', least);
  const lowest = stack.use(await openPeer(`ws://127.0.0.1:${leastServer.port}`, isResult));
  const echo = stack.use(await openPeer(`ws://127.0.0.1:${echoServer.port}`, () => true));
  const [fresh, other, long] = [await open('new'), await open('other'), await open('long')];
  const reads = await compare([
    { peer: fresh, pid: gateway.pid, tool: 'read_file', args: { path: 'notes.txt' } },
    { peer: long, pid: gateway.pid, tool: 'read_file', args: { path: 'notes.txt' } },
    { peer: other, pid: gateway.pid, tool: 'todoread', args: {} },
    { peer: lowest, pid: leastServer.pid, tool: 'read_file', args: { path: 'notes.txt' } },
    { peer: lowest, pid: leastServer.pid, tool: 'todoread', args: {} },
    { peer: echo, pid: echoServer.pid, tool: 'read_file', args: { path: 'notes.txt' } },
  ]);
  const [read, inLong, cheapest, leastRead, leastCheap, bare] = reads;
  if (!read || !inLong || !cheapest || !leastRead || !leastCheap || !bare) return [];
  return [
    { ...rateRow(`read_file over a socket, ${atOnce} under way`, read, bare), goal: 4 },
    rateRow('  least: ws, JSON, a bare read, the record', leastRead, bare),
    { ...rateRow(`todoread over a socket, ${atOnce} under way`, cheapest, bare), goal: 4 },
    rateRow('  least: ws, JSON, the record', leastCheap, bare),
    latencyRow('read_file over a socket, alone, median', read.p50, bare.p50, 5),
    latencyRow('  least: ws, JSON, a bare read, the record', leastRead.p50, bare.p50),
    latencyRow('read_file over a socket, alone, 99 of 100', read.p99, bare.p99, 5),
    {
      ...rateRow('the same in a session of 100,000 entries', inLong, read),
      baseline: `a new session ${perSecond(read)}`,
      goal: 1.2,
    },
  ];
}

type Asked = { peer: Peer; pid: number; tool: string; args: Record<string, unknown> };
/** `cpuMs`: the processor time of the server for one call of many under way. */
type Figures = { p50: number; p99: number; rate: number; cpuMs: number };

/** Measures the subjects in turns, forwards and backwards, so that a busy moment of the machine hits each. */
async function compare(subjects: readonly Asked[]): Promise<Figures[]> {
  const alone: number[][] = subjects.map(() => []);
  const rates: number[][] = subjects.map(() => []);
  const cpu = subjects.map(() => 0);
  const forth = [...subjects.entries()];
  for (let round = -2; round < rounds; round++)
    for (const [i, subject] of round % 2 === 0 ? forth : forth.toReversed()) {
      const single = await subject.peer.ask(messages(subject, perRound.alone), 1);
      const before = usageOf(subject.pid).cpuMs;
      const many = await subject.peer.ask(messages(subject, perRound.together), atOnce);
      if (round < 0) continue;
      cpu[i] = (cpu[i] ?? 0) + usageOf(subject.pid).cpuMs - before;
      alone[i]?.push(...single.each);
      rates[i]?.push((perRound.together * 1000) / many.all);
    }
  return subjects.map((_, i) => ({
    p50: part(alone[i], 0.5),
    p99: part(alone[i], 0.99),
    rate: part(rates[i], 0.5),
    cpuMs: (cpu[i] ?? 0) / (rounds * perRound.together),
  }));
}

let calls = 0;

/** Calls of about 200 bytes, each with a unique id. */
function messages({ tool, args }: Asked, count: number): string[] {
  return Array.from({ length: count }, () => {
    const call_id = `call_${String(calls++).padStart(100, '0')}`;
    return JSON.stringify({ type: 'tool_call', tool_name: tool, call_id, args, requires_approval: false });
  });
}

function part(list: readonly number[] = [], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN;
}

function rateRow(name: string, ours: Figures, bare: Figures): Row {
  const texts = { ours: perSecond(ours), baseline: `ws echo ${perSecond(bare)}` };
  return { name, ...texts, ratio: bare.rate / ours.rate, cpuRatio: ours.cpuMs / bare.cpuMs };
}

function perSecond({ rate, cpuMs }: Figures): string {
  return `${Math.round(rate)}/s, ${(cpuMs * 1000).toFixed(0)} µs each`;
}

function latencyRow(name: string, ours: number, bare: number, goal?: number): Row {
  const texts = { ours: `${ours.toFixed(3)} ms`, baseline: `ws echo ${bare.toFixed(3)} ms` };
  return { name, ...texts, ratio: ours / bare, ...(goal !== undefined && { goal }) };
}

async function startChild(
  stack: AsyncDisposableStack,
  file: string,
  args: readonly string[],
): Promise<{ port: number; pid: number }> {
  const child = fork(join(import.meta.dirname, file), args);
  stack.defer(() => leave(child));
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: child.pid ?? 0 };
}

async function leave(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}
