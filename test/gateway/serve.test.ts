// `codelab serve` as a process: when it is ready, how it ends, and what is left after that.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('serve says when it is ready, ends on SIGTERM, and what waited outlives it and its being killed', {
  timeout: 60_000,
}, async () => {
  using scratch = scratchFolder();
  const ready = join(scratch.folder, 'ready.json');
  const start = async () => {
    const appears = new Promise<void>((resolve) => {
      const watcher = watch(scratch.folder, () => {
        if (!existsSync(ready)) return;
        watcher.close();
        resolve();
      });
    });
    const child = spawn(
      process.execPath,
      [codelabProgram, 'serve', '--port', '0', '--ready-file', ready, '--model', 'demo'],
      {
        cwd: scratch.root,
        env: { ...process.env, CODELAB_HOME: scratch.home, CODELAB_TOKEN: 'a-long-token' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await Promise.race([
      appears,
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended ${code}`))),
    ]);
    return {
      child,
      ...(JSON.parse(readFileSync(ready, 'utf8')) as {
        url: string;
        port: number;
        pid: number;
        token: string;
      }),
    };
  };
  const first = await start();
  expect(first).toMatchObject({
    url: `http://127.0.0.1:${first.port}`,
    pid: first.child.pid,
    token: 'a-long-token',
  });
  expect(statSync(ready).mode & 0o777).toBe(0o600);
  const socket = new WebSocket(`${first.url.replace('http', 'ws')}/ws/s1?token=a-long-token`);
  await once(socket, 'open');
  const approvalRequested = new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => data.includes('"requires_approval":true') && resolve()),
  );
  const args = { path: 'a.txt', content: 'x' };
  socket.send(JSON.stringify({ type: 'tool_call', tool_name: 'write_file', call_id: 'c1', args }));
  await approvalRequested;
  first.child.kill('SIGTERM');
  const [[code], [closed]] = await Promise.all([once(first.child, 'exit'), once(socket, 'close')]);
  expect([code, closed]).toEqual([0, 1001]);
  rmSync(ready);
  const second = await start();
  const answer = await fetch(`${second.url}/api/v1/sessions/s1/pending-approvals`, {
    headers: { 'x-api-key': 'a-long-token' },
  });
  expect(await answer.json()).toMatchObject({ pending_approvals: [{ callId: 'c1' }] });
  second.child.kill('SIGKILL');
  await once(second.child, 'exit');
  rmSync(ready);
  const third = await start();
  const reconnected = new WebSocket(`${third.url.replace('http', 'ws')}/ws/s1?token=a-long-token`);
  const answering = new Promise<string>((resolve) =>
    reconnected.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as { type: string; approval_id?: string };
      if (message.approval_id !== undefined)
        reconnected.send(JSON.stringify({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' }));
      if (message.type === 'tool_result') resolve(data.toString('utf8'));
    }),
  );
  expect(JSON.parse(await answering)).toMatchObject({ call_id: 'c1', result: { success: true } });
  expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('x');
  third.child.kill('SIGKILL');
  await once(third.child, 'exit');
});
