// `codelab serve` on a port that somebody has: the next free one when none was asked for, else who has it and what to do.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = scratchFolder();
afterAll(() => scratch[Symbol.dispose]());

test('the usual port is taken: the next free one is used, and said', async () => {
  await using _taken = await take(4040);
  const child = serve('--no-web');
  const [output] = await once(child.stdout, 'data');
  const moved =
    /^Port 4040 is in use.*: listening on (\d+) instead\.\nListening on http:\/\/127\.0\.0\.1:(\d+)\n/;
  const [, shownPort, port] = moved.exec(String(output)) ?? [];
  expect(Number(port)).toBeGreaterThan(4040);
  expect(shownPort).toBe(port);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('a port that was asked for is refused, with who has it', async () => {
  await using takenPort = await take(0);
  const port = String(takenPort.port);
  const child = serve('--port', port);
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const who = process.platform === 'linux' ? ` by .+ \\(process ${process.pid}\\)` : '.*';
  expect(stderr).toMatch(
    new RegExp(`^codelab: Port ${port} is in use${who}\\. Stop that program, or choose another port`, 'm'),
  );
  expect(stderr).not.toContain('defect');
  expect(code).toBe(1);
});

test('an address that is not of this machine is told as that', async () => {
  const child = serve('--port', '0', '--host', '192.0.2.1');
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(stderr).toContain('192.0.2.1 is not an address of this machine');
});

/** Occupies the port, unless another program has it already. */
async function take(port: number): Promise<AsyncDisposable & { port: number }> {
  const server: Server = createServer();
  await Promise.race([once(server.listen(port, '127.0.0.1'), 'listening')]).catch(() => undefined);
  return {
    port: (server.address() as AddressInfo | null)?.port ?? port,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  const env = { ...process.env, CODELAB_HOME: scratch.home, NO_COLOR: '1' };
  const words = [codelabProgram, 'serve', '--log-level', 'silent', ...args];
  return spawn(process.execPath, words, { cwd: scratch.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}
