// The gateway is killed at every moment of a call that it carries out itself: what was asked, answered and done is there after the next
// start, nothing is done twice, nothing waits for ever.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/bad-lines.ts';
import type { Fault } from '../support/chaos-fault.ts';
import { type ChaosServe, chaosServe } from '../support/chaos-serve.ts';
import { createRandom } from '../support/random.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SocketClient, socketTo } from '../support/spawn-gateway.ts';

type Json = Record<string, unknown>;
type Point = Fault & {
  tool: 'run_command' | 'write_file' | 'apply_patch';
  /** Whether the call may have begun when it happened, so that nobody can know. */
  isUnknown?: true;
  /** The log had no entry of the call yet, so only the caller can send it again. */
  isForgotten?: true;
  /** How often the work was done in the end. */
  done: 0 | 1;
};

const points: Point[] = [
  { tool: 'run_command', when: 'before', type: 'call.received', isForgotten: true, done: 1 },
  { tool: 'run_command', when: 'after', type: 'approval.requested', done: 1 },
  { tool: 'run_command', when: 'before', type: 'approval.decided', done: 1 },
  { tool: 'run_command', when: 'after', type: 'approval.decided', done: 1 },
  { tool: 'run_command', when: 'after', type: 'call.started', isUnknown: true, done: 0 },
  { tool: 'run_command', when: 'before', type: 'call.finished', isUnknown: true, done: 1 },
  { tool: 'run_command', when: 'after', type: 'call.finished', done: 1 },
  { tool: 'write_file', when: 'after', type: 'call.started', isUnknown: true, done: 0 },
  { tool: 'write_file', when: 'before', type: 'call.finished', isUnknown: true, done: 1 },
  { tool: 'apply_patch', when: 'after', type: 'approval.decided', done: 1 },
  { tool: 'apply_patch', when: 'before', type: 'call.finished', isUnknown: true, done: 1 },
];

const isQuestion = (message: Json): boolean => message.requires_approval === true;
const isResultOf = (id: string) => (message: Json) =>
  message.type === 'tool_result' && message.call_id === id;
const lastSeq = ({ received }: SocketClient): number =>
  Math.max(0, ...received.map(({ seq }) => Number(seq ?? 0)));

/** The call of a point, and the file that says how often it was done. */
function callOf({ tool }: Point, id: string): Json {
  const file = `${id}.txt`;
  const args = {
    run_command: { command: `echo once >> ${file}` },
    write_file: { path: file, content: 'once\n' },
    apply_patch: { diff: `--- a/${file}\n+++ b/${file}\n@@ -1 +1,2 @@\n base\n+once\n` },
  }[tool];
  return { type: 'tool_call', call_id: id, tool_name: tool, args };
}

const timesDone = (root: string, id: string): number => {
  try {
    return readFileSync(join(root, `${id}.txt`), 'utf8').match(/once/g)?.length ?? 0;
  } catch {
    return 0;
  }
};

/** Goes on until the gateway kills itself. */
async function untilKilled(gateway: ChaosServe, session: string, call: Json): Promise<SocketClient> {
  const client = await socketTo(gateway, `/ws/${session}?role=approver&dialect=codelab`);
  client.send(call);
  client.next(isQuestion).then(
    () => client.send({ type: 'hitl_decision', call_id: call.call_id, decision: 'approve' }),
    () => undefined,
  );
  const answer = client.next(isResultOf(String(call.call_id))).catch(() => undefined);
  // An answer while it lives would mean that it never came by this point.
  expect(await Promise.race([gateway.exited, answer])).toBe('SIGKILL');
  client.end();
  return client;
}

async function settle(gateway: ChaosServe, point: Point, call: Json, before: SocketClient): Promise<Json> {
  const id = String(call.call_id);
  const client = await socketTo(
    gateway,
    `/ws/s-${id}?role=approver&dialect=codelab&since=${lastSeq(before)}`,
  );
  if (point.isForgotten) client.send(call);
  const approver = await socketTo(gateway, `/ws/s-${id}?role=approver`);
  const isAsked =
    point.isForgotten ||
    point.type === 'approval.requested' ||
    point.when + point.type === 'beforeapproval.decided';
  if (isAsked) {
    expect(await approver.next(isQuestion)).toMatchObject({ call_id: id });
    approver.send({ type: 'hitl_decision', call_id: id, decision: 'approve' });
  }
  const result = await client.next(isResultOf(id));
  // Everything that was heard before is told again in the same words.
  const replay = await socketTo(gateway, `/ws/s-${id}?role=approver&since=0&dialect=codelab`);
  await replay.next(isResultOf(id));
  const bySeq = new Map(
    replay.received.flatMap((message) => ('seq' in message ? [[message.seq, message] as const] : [])),
  );
  for (const message of [...before.received, ...client.received])
    if ('seq' in message) expect(bySeq.get(message.seq)).toEqual(message);
  // Said once more it is not done once more, and the session is as good as new.
  client.send(call);
  expect((await client.next(isResultOf(id))).result).toEqual(result.result);
  client.send({ type: 'tool_call', call_id: `${id}-next`, tool_name: 'list_files', args: { path: '.' } });
  expect(await client.next(isResultOf(`${id}-next`))).toMatchObject({ result: { path: '.' } });
  for (const socket of [client, approver, replay]) socket.end();
  return result;
}

test('killed at every entry of a call: one outcome, done at most once, nothing lost', {
  timeout: 120_000,
}, async () => {
  using scratch = scratchFolder();
  const port = await freePort();
  const clients: SocketClient[] = [];
  // Each start has to recover from the kill before, and is killed at the next point.
  for (const [n, point] of points.entries()) {
    const id = `c${n}`;
    if (point.tool === 'apply_patch') writeFileSync(join(scratch.root, `${id}.txt`), 'base\n');
    await using gateway = await chaosServe({ ...scratch, port, fault: { ...point, callId: id } });
    clients.push(await untilKilled(gateway, `s-${id}`, callOf(point, id)));
  }
  await using gateway = await chaosServe({ ...scratch, port });
  await Promise.all(
    clients.map(async (before, n) => {
      const [id, point] = [`c${n}`, points[n] as Point];
      const label = `${point.when} ${point.type} of ${point.tool}`;
      const { error } = await settle(gateway, point, callOf(point, id), before);
      expect((error as Json | undefined)?.code, label).toBe(point.isUnknown && 'OUTCOME_UNKNOWN');
      expect(timesDone(scratch.root, id), label).toBe(point.done);
    }),
  );
});

const commandOf = (id: string, suffix = '') => ({
  type: 'tool_call',
  call_id: id,
  tool_name: 'run_command',
  args: { command: `echo once >> ${id}.txt${suffix}` },
});

/** Approves whatever is asked, until the line ends. */
function approveAll(client: SocketClient): void {
  const approveEach = ({ call_id }: Json): void => {
    client.send({ type: 'hitl_decision', call_id, decision: 'approve' });
    client.next(isQuestion).then(approveEach, () => undefined);
  };
  client.next(isQuestion).then(approveEach, () => undefined);
}

test('killed at moments nobody chose, with many calls under way', { timeout: 120_000 }, async () => {
  using scratch = scratchFolder();
  const port = await freePort();
  const random = createRandom(6);
  await using stack = new AsyncDisposableStack();
  let gateway = stack.use(await chaosServe({ ...scratch, port }));
  for (let round = 0; round < 3; round++) {
    const ids = Array.from({ length: 8 }, (_, i) => `r${round}-${i}`);
    const before = await socketTo(gateway, '/ws/s1?dialect=codelab');
    approveAll(before);
    for (const id of ids) before.send(commandOf(id));
    await before.next((message) => message.type === 'status');
    await new Promise((resolve) => setTimeout(resolve, random.below(150)));
    await gateway.kill();
    before.end();
    gateway = stack.use(await chaosServe({ ...scratch, port }));
    const client = await socketTo(gateway, '/ws/s1?dialect=codelab');
    approveAll(client);
    for (const id of ids) client.send(commandOf(id));
    for (const id of ids) {
      const { error } = await client.next(isResultOf(id));
      const code = (error as Json | undefined)?.code;
      expect([undefined, 'OUTCOME_UNKNOWN']).toContain(code);
      if (code === undefined) expect(timesDone(scratch.root, id)).toBe(1);
      else expect(timesDone(scratch.root, id)).toBeLessThanOrEqual(1);
    }
    client.end();
  }
});

const runs = (words: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(words);
    } catch {
      return false;
    }
  });

test('killed while a command runs: it is ended, not repeated, and said to be unknown', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  const port = await freePort();
  const sleep = `sleep 6${process.pid}`;
  await using first = await chaosServe({ ...scratch, port });
  const before = await socketTo(first, '/ws/s1?dialect=codelab');
  approveAll(before);
  before.send(commandOf('c1', `; ${sleep}`));
  await expect.poll(() => timesDone(scratch.root, 'c1'), { timeout: 15_000 }).toBe(1);
  await first.kill();
  before.end();
  await using second = await chaosServe({ ...scratch, port });
  const client = await socketTo(second, '/ws/s1?dialect=codelab&since=0');
  expect(await client.next(isResultOf('c1'))).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
  await expect.poll(() => runs(sleep), { timeout: 10_000 }).toBe(false);
  expect(timesDone(scratch.root, 'c1')).toBe(1);
});
