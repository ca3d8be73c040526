// A host that makes random calls until its input ends, or until it is killed. Prints its promises and faults as lines of JSON. Argument:
// {folder, name, seed}.
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Outcome, parseJson, ToolError } from '@codelab/protocol';
import { createRandom } from './random.ts';
import type { ChaosFact } from './sweep-chaos-fact.ts';
import { approveAll, workbench } from './workbench.ts';

type Order = { folder: string; name: string; seed: number };

const { folder, name, seed } = parseJson(process.argv[2] ?? '', { bytes: 1e6, depth: 5 }) as Order;
const random = createRandom(seed);
const bench = await workbench({ folder, mode: 'trusted' });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
// How long its own thread was busy between two turns; in the remaining time other processes had the processor.
let busyMs = 0;
let used = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(used);
  used = process.threadCpuUsage();
  busyMs = Math.max(busyMs, (user + system) / 1000);
}, 5).unref();
let calls = 0;
let reader = 0;
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
for (const session of ['keep', 'undo', 'work']) bench.human(approveAll, `${session}-${name}`);

/** Answers that come of others being at work, too. */
const expected = ['STALE', 'FILE_NOT_FOUND', 'ALREADY_EXISTS', 'PATCH_APPLY_FAILED', 'NOT_REGULAR_FILE'];

const actions: readonly [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
  write,
  write,
  patch,
  patch,
  deleteFile,
  deleteFile,
  deleteFolder,
  move,
  undo,
  redo,
  command,
  readLong,
  readLong,
  fork,
  deleteSession,
  prove,
  prune,
];
while (!isOver) await random.pick(actions)();
printFact({ type: 'end', stallMs: Math.round(delay.max / 1e6), busyMs: Math.round(busyMs), calls });
await bench[Symbol.asyncDispose]();

function printFact(fact: ChaosFact): void {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

async function call(session: string, tool: string, args: Record<string, unknown>): Promise<Outcome> {
  const outcome = await bench.call(tool, args, { session, id: `${name}_${++calls}` });
  // Sessions of a host that is killed again and again may be deleted by the others at any time.
  const isDeleted = (code: string): boolean => code === 'SESSION_NOT_FOUND' && session.startsWith('read-c');
  if (
    outcome.status !== 'completed' &&
    !expected.includes(outcome.error.code) &&
    !isDeleted(outcome.error.code)
  )
    printFact({ type: 'odd', text: `${tool} ${JSON.stringify(outcome.error).slice(0, 300)}` });
  return outcome;
}

function shared(): string {
  return `shared/${random.below(6)}.txt`;
}

/** A whole line each time, so that a torn file shows. */
function line(): string {
  return `[${name} ${calls} ${'x'.repeat(random.below(300))}]\n`;
}

async function write(): Promise<void> {
  await call(`${random.pick(['work', 'undo'])}-${name}`, 'write_file', { path: shared(), content: line() });
}

async function patch(): Promise<void> {
  const under = `sets/${name}-${calls}`;
  const count = random.pick([2, 3, 5, 20]);
  printFact({ type: 'set', folder: under, count });
  const part = (_: unknown, i: number): string =>
    `--- /dev/null\n+++ b/${under}/${i % 3}/${i}.txt\n@@ -0,0 +1 @@\n+${i}\n`;
  await call(`${random.pick(['work', 'undo'])}-${name}`, 'apply_patch', {
    diff: Array.from({ length: count }, part).join(''),
  });
}

async function deleteFile(): Promise<void> {
  await promise({ [`gone/${name}-${calls}.txt`]: line() });
}

async function deleteFolder(): Promise<void> {
  const under = `gone/${name}-${calls}`;
  await promise({ [`${under}/1.txt`]: line(), [`${under}/2/3.txt`]: line() }, under);
}

/** Writes files, deletes them, and reports them if the answer says that they can be restored. */
async function promise(files: Record<string, string>, path = Object.keys(files)[0] ?? ''): Promise<void> {
  const session = `keep-${name}`;
  for (const [file, content] of Object.entries(files))
    await call(session, 'write_file', { path: file, content });
  const outcome = await call(session, 'delete_file', { path, recursive: true });
  if (outcome.status === 'completed' && outcome.data.recoverable === true)
    printFact({ type: 'claim', session, callId: outcome.callId, path, files });
}

async function move(): Promise<void> {
  const [from, to] = [shared(), shared()];
  if (from !== to) await call(`work-${name}`, 'move_file', { from, to, overwrite: true });
}

async function undo(): Promise<void> {
  await call(`undo-${name}`, 'undo', { session: `undo-${name}` });
}

async function redo(): Promise<void> {
  await call(`undo-${name}`, 'redo', { session: `undo-${name}` });
}

async function command(): Promise<void> {
  if (random.chance(0.7)) return;
  const text = `mkdir -p commands; echo "[${name} ${calls}]" > commands/${name}.txt`;
  await call(`work-${name}`, 'run_command', { command: text });
}

/** Reads a text that is too long for the log: it is stored separately, once for all sessions. */
async function readLong(): Promise<void> {
  if (random.chance(0.2)) reader++;
  await call(`read-${name}-${reader}`, 'read_file', { path: `long/${random.below(3)}.txt` });
}

async function fork(): Promise<void> {
  const head = (await bench.log.read(`read-${name}-${reader}`)).at(-1);
  if (head === undefined) return;
  const forkedFrom = { session: head.session, seq: head.seq };
  const opened = { type: 'session.opened', workspace: bench.host.workspace.root.real, forkedFrom } as const;
  await log(() => bench.log.append(`fork-${name}-${calls++}`, [opened], { expected: 0 }));
}

async function deleteSession(): Promise<void> {
  const ownForks = new RegExp(`^(fork-|read-${name}-(?!${reader}$)|read-c)`);
  const old = (await bench.log.sessions()).filter(({ id }) => ownForks.test(id));
  const [first, ...rest] = old;
  if (first !== undefined) await log(() => bench.log.delete(random.pick([first, ...rest]).id));
}

async function prove(): Promise<void> {
  const [first, ...rest] = await bench.log.sessions();
  if (first === undefined) return;
  const { id } = random.pick([first, ...rest]);
  const damage = await log(() => bench.log.prove(id, new AbortController().signal));
  if (damage !== undefined) printFact({ type: 'odd', text: `damage ${JSON.stringify(damage)}` });
}

/** As if the last pruning were hours ago. */
async function prune(): Promise<void> {
  const time = Date.now() / 1000 - 7200;
  try {
    readFileSync(join(bench.home, 'trash.pruned'));
    utimesSync(join(bench.home, 'trash.pruned'), time, time);
  } catch {
    // Never done so far, or done another way.
  }
  await write();
}

async function log<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof ToolError ? error.code : 'INTERNAL';
    if (!['STALE', 'SESSION_NOT_FOUND', 'LOG_CONFLICT'].includes(code))
      printFact({ type: 'odd', text: `log: ${code} ${error instanceof Error ? error.message : ''}` });
    return undefined;
  }
}
