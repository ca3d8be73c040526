// A gateway that is killed while calls run in a worktree: the next one finds the worktree, ends what was left, and goes on there.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newRepository } from '../support/real-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawn-gateway.ts';
import type { Json } from '../support/web-api.ts';
import { worktreeBench } from '../support/worktree-bench.ts';

async function ask(gateway: SpawnedGateway, path: string, body?: unknown): Promise<Json> {
  const answer = await fetch(`${gateway.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer a-long-token', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Json;
}

async function outcomes(gateway: SpawnedGateway, id: string): Promise<Json[]> {
  const { events } = (await ask(gateway, `/sessions/${id}/log`)) as { events: { body: Json }[] };
  return events.flatMap(({ body }) => (body.type === 'call.finished' ? [body.outcome as Json] : []));
}

/** Whether the processes of the running command were looked at after this file was written: only then the change is surely the command's. */
function isSeenWritten(home: string, file: string): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return false;
  const [activity] = readdirSync(join(home, 'before')).filter((name) => name.endsWith('.activity'));
  const lines =
    activity === undefined ? [] : readFileSync(join(home, 'before', activity), 'utf8').split('\n');
  return lines.slice(0, -1).some((line) => (JSON.parse(line) as [from: number, to: number])[1] > mtimeMs);
}

test('a command that ran in a worktree when the gateway was killed is ended, told, and can be undone there', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const { root, home } = scratch;
  const git = newRepository(root);
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  const { id, path } = await (async () => {
    await using gateway = await spawnGateway({ root, home });
    const created = await ask(gateway, '/sessions', { worktree: { name: 'one' } });
    const worktree = created.worktree as { path: string };
    const command = 'echo half > a.txt; echo begun > begun.txt; sleep 600';
    const args = { tool: 'run_command', args: { command }, approve: true };
    // The call is never answered: its gateway is killed.
    ask(gateway, `/sessions/${String(created.id)}/calls`, args).catch(() => undefined);
    const begunFile = join(worktree.path, 'begun.txt');
    await expect.poll(() => isSeenWritten(home, begunFile), { timeout: 20_000 }).toBe(true);
    await gateway.kill();
    return { id: String(created.id), path: worktree.path };
  })();
  await using gateway = await spawnGateway({ root, home });
  await expect
    .poll(async () => (await ask(gateway, '/sessions?limit=5')).sessions, { timeout: 20_000 })
    .toMatchObject([{ id, worktree: { state: 'present' } }]);
  await expect.poll(() => outcomes(gateway, id), { timeout: 20_000 }).toHaveLength(1);
  expect(await outcomes(gateway, id)).toMatchObject([
    { status: 'failed', error: { code: 'OUTCOME_UNKNOWN' } },
  ]);
  await ask(gateway, `/sessions/${id}/undo`, {});
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one\n');
  expect(existsSync(join(path, 'begun.txt'))).toBe(false);
  const secondWrite = { tool: 'write_file', args: { path: 'b.txt', content: 'b' }, approve: true };
  expect((await ask(gateway, `/sessions/${id}/calls`, secondWrite)).outcome).toMatchObject({
    status: 'completed',
  });
  expect(existsSync(join(path, 'b.txt'))).toBe(true);
  expect(existsSync(join(root, 'b.txt'))).toBe(false);
});

test('a question that waits in a worktree over a restart is carried out there once it is answered', async () => {
  await using work = await worktreeBench({ mode: 'strict' });
  const worktree = await work.session('one');
  const before = await work.bench.connect(worktree.id);
  const args = { path: 'asked.txt', content: 'asked' };
  before.send({ type: 'tool_call', tool_name: 'write_file', call_id: 'w1', args });
  await before.next('tool_call');
  await work.bench.restart();
  const client = await work.bench.connect(worktree.id);
  await client.next('tool_call');
  client.send({ type: 'hitl_decision', call_id: 'w1', decision: 'approve' });
  await client.next('tool_result');
  expect(existsSync(join(worktree.path, 'asked.txt'))).toBe(true);
  expect(existsSync(join(work.bench.root, 'asked.txt'))).toBe(false);
  expect(work.bench.faults).toEqual([]);
});

test('a command that runs in a worktree keeps no call of the workspace waiting', async () => {
  await using work = await worktreeBench();
  const [worktree, main] = [await work.session('one'), await work.session()];
  const command = 'until test -e go.txt; do sleep 0.05; done';
  const running = work.call(worktree.id, 'run_command', { command });
  const written = await work.call(main.id, 'write_file', { path: 'go.txt', content: 'go' });
  expect(written.status).toBe('completed');
  // The same name in the worktree is another file.
  expect(existsSync(join(worktree.path, 'go.txt'))).toBe(false);
  await work.ask(`/sessions/${worktree.id}/cancel`, 'POST', {});
  expect(await running).toMatchObject({ status: 'cancelled' });
});
