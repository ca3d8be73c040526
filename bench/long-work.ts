// How long the event loop stands still during long work: deleting a session of a large log with many files of its own, verifying that log,
// and deleting, restoring and copying a large folder, on one device and across two. The goal is 50 ms of the thread's own work at a time.
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { EventBody, Outcome, SessionLog } from '@codelab/protocol';
import { answerApproval, runCall } from '@codelab/runtime';
import { type Composed, compose } from '@codelab/server';
import { openSqliteLog } from '../apps/server/src/log/sqlite/sqlite-log.ts';
import { reviewFolder } from '../packages/runtime/src/review/keep-versions.ts';
import { sessionTmp } from '../packages/runtime/src/sandbox/session-tmp.ts';
import type { Row } from './row.ts';
import { type Scratch, scratch } from './scratch.ts';

const logBytes = 1e9;
const entryChars = 25_000;
const files = 60_000;
const goalMs = 50;
const memory = '/dev/shm';

export async function longWork(): Promise<Row[]> {
  const rows = [...(await largeLog()), ...(await largeFolder('one device', (place) => place.home))];
  if (isOtherDevice()) rows.push(...(await acrossDevices()));
  return rows;
}

async function largeLog(): Promise<Row[]> {
  using place = scratch();
  const log = openSqliteLog(place.home);
  await fill(log, 'large', logBytes);
  await fill(log, 'small', entryChars * 10);
  const never = new AbortController().signal;
  const proved = await stillDuring(async () => {
    if ((await log.prove?.('large', never)) !== undefined) throw new Error('the log is damaged');
  });
  const shared = sessionTmp({ home: place.home, session: 'large', root: place.root }).shared;
  for (const folder of [shared, join(reviewFolder({ home: place.home, session: 'large' }), 'versions')])
    makeFiles(folder, files);
  const deleted = await stillDuring(() => log.delete('large'));
  if ((await log.sessions()).length !== 1) throw new Error('the session is still there');
  await log.close();
  return [
    row('verifying a session of 1 GB', proved),
    row(`deleting it, with ${files} files in its /tmp and as many stored versions`, deleted),
  ];
}

async function fill(log: SessionLog, session: string, bytes: number): Promise<void> {
  const bodies: EventBody[] = Array.from({ length: 40 }, (_, i) => ({
    type: 'session.titled',
    title: `${i}`.padEnd(entryChars, 'x'),
  }));
  let seq = (await log.append(session, [{ type: 'session.opened', workspace: '/w' }], { expected: 0 }))
    .length;
  for (let written = 0; written < bytes; written += 40 * entryChars)
    seq += (await log.append(session, bodies, { expected: seq })).length;
}

async function largeFolder(where: string, homeOf: (place: Scratch) => string): Promise<Row[]> {
  using place = scratch();
  await using composed = await compose({ workspace: place.root, home: homeOf(place), env: {} });
  const folder = join(place.root, 'large');
  for (let i = 0; i < 60; i++) makeFiles(join(folder, `d${i}`), files / 60);
  const deleted = await stillDuring(() => run(composed, 'delete_file', { path: 'large', recursive: true }));
  const restored = await stillDuring(() => run(composed, 'undo', {}));
  if (!statSync(folder).isDirectory()) throw new Error('the folder did not come back');
  const moved = await stillDuring(() => run(composed, 'move_file', { from: 'large', to: 'moved' }));
  const name = (what: string): string => `${what} a folder of ${files} files, ${where}`;
  return [row(name('deleting'), deleted), row(name('restoring'), restored), row(name('moving'), moved)];
}

async function acrossDevices(): Promise<Row[]> {
  const elsewhere = mkdtempSync(join(memory, 'codelab-bench-'));
  try {
    return await largeFolder('state folder on another device', ({ home }) => {
      symlinkSync(elsewhere, home);
      return home;
    });
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
}

function isOtherDevice(): boolean {
  using place = scratch();
  const stat = statSync(memory, { throwIfNoEntry: false });
  return stat !== undefined && stat.dev !== statSync(place.folder).dev;
}

let calls = 0;

async function run({ host }: Composed, tool: string, args: Record<string, unknown>): Promise<void> {
  const call = { id: `c${calls++}`, session: 'bench', tool, args, dialect: 'codelab' as const };
  const outcome: Outcome = await runCall(host, call, undefined, async ({ id: approvalId }) => {
    const by = { who: 'bench', via: 'bench' };
    await answerApproval(host, { session: 'bench', approvalId, decision: { kind: 'approve' }, by });
  });
  if (outcome.status !== 'completed') throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
}

function makeFiles(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `${i}.txt`), `${i}\n`);
}

type Still = { wallMs: number; workMs: number; tookMs: number };

/** The longest time between two turns of the event loop: by the clock, and of the thread's own processor time in it. */
async function stillDuring(work: () => Promise<unknown>): Promise<Still> {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  let workMs = 0;
  let isDone = false;
  let used = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(used);
    used = process.threadCpuUsage();
    workMs = Math.max(workMs, (user + system) / 1000);
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  const started = performance.now();
  await work();
  const tookMs = performance.now() - started;
  isDone = true;
  delay.disable();
  return { wallMs: delay.max / 1e6, workMs, tookMs };
}

function row(name: string, { wallMs, workMs, tookMs }: Still): Row {
  return {
    name: `longest stop of the event loop: ${name}`,
    ours: `${workMs.toFixed(0)} ms of work, ${wallMs.toFixed(0)} ms by the clock, in ${(tookMs / 1000).toFixed(1)} s`,
    baseline: `at most ${goalMs} ms`,
    ratio: workMs / goalMs,
    goal: 1,
  };
}
