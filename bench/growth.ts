// The cost of a call as things grow: entries in its session, files in the workspace, sessions in the gateway. Measured in processor time,
// each size in a separate process, in turns. Draws docs/growth.svg.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillSession } from './growth/fill-session.ts';
import { type Curve, type Panel, plotSvg } from './growth/plot.ts';
import { type Client, startGateway } from './many/gateway.ts';
import { liveCpuNs, median } from './measure.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const picture = join(import.meta.dirname, '..', 'docs', 'growth.svg');
const sizes = { entries: [10, 10_000, 1_000_000], files: [10, 1000, 100_000], sessions: [10, 100, 1000] };
const goal = 1.5;
const rounds = 9;
const perRound = { read: 200, edit: 20 };

type Kind = keyof typeof perRound;
type Step = (kind: Kind, count: number) => Promise<number>;

export async function growth(): Promise<Row[]> {
  const panels = [
    { title: 'Entries in the session', curves: await curves(sizes.entries, ['read', 'edit'], withEntries) },
    { title: 'Files in the workspace', curves: await curves(sizes.files, ['read', 'edit'], withFiles) },
    { title: 'Sessions in a gateway', curves: await curves(sizes.sessions, ['read'], withSessions) },
  ];
  writeFileSync(picture, plotSvg(panels));
  return panels.flatMap(rowsOf);
}

function rowsOf({ title, curves: all }: Panel): Row[] {
  return all.flatMap(({ name, points: [first, ...others] }) =>
    others.map(({ size, ms }): Row => {
      const { size: least, ms: base } = first ?? { size: 0, ms: Number.NaN };
      return {
        name: `${title}: ${name} at ${size.toLocaleString('en')}, processor time`,
        ours: `${ms.toFixed(3)} ms`,
        baseline: `at ${least} ${base.toFixed(3)} ms`,
        ratio: ms / base,
        goal,
      };
    }),
  );
}

/** `open` makes the place of one size, and the way to make calls there. */
async function curves(
  list: readonly number[],
  kinds: readonly Kind[],
  open: (size: number, stack: AsyncDisposableStack) => Promise<Step>,
): Promise<Curve[]> {
  await using stack = new AsyncDisposableStack();
  const steps: Step[] = [];
  for (const size of list) steps.push(await open(size, stack));
  const found: Curve[] = [];
  for (const kind of kinds) {
    const times: number[][] = list.map(() => []);
    // The first rounds are for the compiler.
    for (let round = -3; round < rounds; round++)
      for (const [i, step] of steps.entries()) {
        const ms = await step(kind, perRound[kind]);
        if (round >= 0) times[i]?.push(ms);
      }
    found.push({ name: kind, points: list.map((size, i) => ({ size, ms: median(times[i] ?? []) })) });
  }
  return found;
}

function placeWithNotes(stack: AsyncDisposableStack): Scratch {
  const place = stack.use(scratch());
  writeFileSync(join(place.root, 'notes.txt'), `${'x'.repeat(63)}\n`);
  return place;
}

async function withEntries(entries: number, stack: AsyncDisposableStack): Promise<Step> {
  const place = placeWithNotes(stack);
  await fillSession(place, 'long', entries);
  return await startHost(place, stack);
}

async function withFiles(files: number, stack: AsyncDisposableStack): Promise<Step> {
  const place = placeWithNotes(stack);
  for (let i = 0; i < files; i++) {
    const folder = join(place.root, `folder${Math.floor(i / 200)}`);
    if (i % 200 === 0) mkdirSync(folder);
    writeFileSync(join(folder, `file${i}.txt`), `${i}\n`);
  }
  return await startHost(place, stack);
}

async function startHost({ root, home }: Scratch, stack: AsyncDisposableStack): Promise<Step> {
  const child = fork(join(import.meta.dirname, 'growth', 'step-child.ts'), [root, home, 'long']);
  stack.defer(() => ended(child));
  await once(child, 'message');
  return async (kind, count) => {
    child.send({ kind, count });
    const [ms] = (await once(child, 'message')) as [number];
    return ms;
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/** Every session is connected, and the calls go to all of them in turn. */
async function withSessions(count: number, stack: AsyncDisposableStack): Promise<Step> {
  const place = placeWithNotes(stack);
  const gateway = stack.use(await startGateway(place));
  const clients: Client[] = [];
  for (let i = 0; i < count; i++) clients.push(stack.use(await gateway.open(`session${i}`)));
  let calls = 0;
  const read = async (): Promise<void> => {
    const answer = await clients[calls++ % count]?.call('read_file', { path: 'notes.txt' });
    if (answer?.error !== undefined) throw new Error(answer.error);
  };
  // Warms up: each has been used once.
  for (let i = 0; i < count; i++) await read();
  return async (_kind, times) => {
    const before = liveCpuNs(gateway.pid);
    for (let i = 0; i < times; i++) await read();
    return (liveCpuNs(gateway.pid) - before) / 1e6 / times;
  };
}
