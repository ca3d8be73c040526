// The operator's own terminals over the API: what is recorded, and what is left when they end.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { get, opened, plainShell, printed, size } from '../support/person-terminal.ts';
import { signIn } from '../support/signed-in-page.ts';
import { createSession, type Json, json } from '../support/web-api.ts';

async function events(bench: GatewayBench, session: string): Promise<Json[]> {
  const [, { events: all }] = await json(bench, `/sessions/${session}/log`);
  return (all as { body: Json }[])
    .map(({ body }) => body)
    .filter(({ type }) => String(type).startsWith('terminal.'));
}

/** Processes whose command line has this in it. */
function running(mark: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number.isInteger(pid) &&
          pid !== process.pid &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)
        );
      } catch {
        return false;
      }
    });
}

describe.skipIf(process.platform !== 'linux')('a terminal of the operator', { timeout: 60_000 }, () => {
  test('is a shell in the workspace with their environment, without what is CodeLab’s, and is recorded without what was typed', async () => {
    plainShell();
    vi.stubEnv('CODELAB_TOKEN', 'never-to-be-seen');
    vi.stubEnv('MINE_FOR_TEST', 'mine-is-here');
    await using bench = await gatewayBench({ web: 'none' });
    const session = await createSession(bench);
    const page = await signIn(bench);
    const [path, id] = await opened(page, session);
    await page.request('POST', `${path}/input`, {
      input: 'pwd; env; tty; echo typed-$((40+2))-secret; exit 3\n',
    });
    const output = await printed(bench, page, path, 'never');
    expect(output).toContain(bench.root);
    expect(output).toContain('mine-is-here');
    expect(output).toMatch(/\/dev\/pts\/\d+/);
    expect(output).toContain('typed-42-secret');
    expect(output).not.toContain('never-to-be-seen');
    const last = await get(bench, page, `${path}/output?cursor=0`);
    expect(last).toMatchObject({ status: 'exited', exit_code: 3 });
    const record = await events(bench, session);
    expect(record).toEqual([
      {
        type: 'terminal.opened',
        terminal: id,
        by: { who: expect.any(String), via: 'http' },
        shell: expect.any(String),
        cwd: bench.root,
      },
      { type: 'terminal.closed', terminal: id, end: 'exited', exitCode: 3, bytes: expect.any(Number) },
    ]);
    expect(JSON.stringify(record)).not.toContain('secret');
    expect(bench.faults).toEqual([]);
  });

  test('has the size it is given, and is ended with all that runs in it, by hand and with its session', async () => {
    plainShell();
    await using bench = await gatewayBench({ web: 'none' });
    const page = await signIn(bench);
    const session = await createSession(bench);
    const [path] = await opened(page, session);
    await page.request('POST', `${path}/size`, { cols: 101, rows: 31 });
    await page.request('POST', `${path}/input`, {
      input: 'stty size; sleep 7001001 & sleep 7001001\n',
    });
    expect(await printed(bench, page, path, '31 101')).toContain('31 101');
    await expect.poll(() => running('7001001').length).toBe(2);
    expect((await page.request('DELETE', path, {})).status).toBe(204);
    expect(running('7001001')).toEqual([]);
    expect((await events(bench, session)).at(-1)).toMatchObject({
      end: 'closed',
      by: { via: 'http' },
      signal: 'SIGHUP',
    });
    expect((await page.request('POST', `${path}/input`, { input: 'x' })).status).toBe(404);
    const [second] = await opened(page, session);
    await page.request('POST', `${second}/input`, { input: 'sleep 7001002\n' });
    await expect.poll(() => running('7001002').length).toBe(1);
    await json(bench, `/sessions/${session}`, 'DELETE');
    expect(running('7001002')).toEqual([]);
    expect(bench.faults).toEqual([]);
  });

  test('ends with the gateway, also what ignores the hang-up, and the log says so', async () => {
    plainShell();
    await using bench = await gatewayBench({ web: 'none' });
    const page = await signIn(bench);
    const session = await createSession(bench);
    const [path] = await opened(page, session);
    await page.request('POST', `${path}/input`, {
      input: `nohup sh -c "trap '' HUP TERM; sleep 7001003; true" & sleep 1001\n`,
    });
    await expect.poll(() => running('7001003').length).toBeGreaterThan(0);
    await bench.restart();
    expect(running('7001003')).toEqual([]);
    expect((await events(bench, session)).at(-1)).toMatchObject({ end: 'stopped' });
    expect(bench.faults).toEqual([]);
  });

  test('keeps a bounded end of what it printed, and makes a program wait for a reader that is behind', async () => {
    plainShell();
    await using bench = await gatewayBench({ web: 'none' });
    const page = await signIn(bench);
    const session = await createSession(bench);
    const [path] = await opened(page, session);
    await page.request('POST', `${path}/input`, {
      input: 'head -c 3000000 /dev/zero | tr "\\0" x; echo; echo whole-$((1+1))\n',
    });
    // A reader that starts at the first byte gets every byte.
    const output = await printed(bench, page, path, 'whole-2');
    expect(output.match(/x/g)?.length).toBeGreaterThanOrEqual(3_000_000);
    const replay = await get(bench, page, `${path}/output?cursor=0`);
    expect(Number(replay.dropped)).toBeGreaterThan(2_000_000);
    expect(Buffer.from(String(replay.output), 'base64').length).toBeLessThanOrEqual(128 * 1024);
  });

  test('is one of sixteen at most', async () => {
    plainShell();
    await using bench = await gatewayBench({ web: 'none' });
    const page = await signIn(bench);
    const session = await createSession(bench);
    const open = () => page.request('POST', `/api/v1/sessions/${session}/terminals`, size);
    const statuses = (await Promise.all(Array.from({ length: 17 }, open))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 16 }, () => 201), 409]);
  });
});
