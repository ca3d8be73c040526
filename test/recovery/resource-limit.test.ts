// With hardly any file descriptors left, calls say which limit to raise, and work again when some are free.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type SocketClient, socketTo } from '../support/spawn-gateway.ts';

const limited = ['-c', 'ulimit -n "$0"; exec "$@"'];

type Answer = { result?: unknown; error?: { code: string; message: string } };

test.each([
  ['read_file', { path: 'a.txt' }],
  ['write_file', { path: 'b.txt', content: 'b' }],
  ['run_command', { command: 'true' }],
])('%s in a process that may have few files open fails by that limit or not at all', (tool, args) => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
  const call = [codelabProgram, 'tool', '--mode', 'trusted', tool, JSON.stringify(args)];
  // Each limit that is slightly too low makes a different open file fail.
  const codes = [22, 25, 28, 29, 30, 31, 32, 33, 34, 64].map((limit) => {
    const { stdout, stderr } = spawnSync('bash', [...limited, String(limit), process.execPath, ...call], {
      cwd: scratch.root,
      env: { ...process.env, CODELAB_HOME: scratch.home },
      encoding: 'utf8',
    });
    expect(stderr).not.toMatch(/remove it|defect/);
    const { result, error } = JSON.parse(stdout) as Answer;
    if (error !== undefined) expect(error.message).toContain('ulimit -n');
    return error?.code ?? (result === undefined ? 'nothing' : 'done');
  });
  expect(new Set(codes)).toEqual(new Set(['RESOURCE_LIMIT', 'done']));
  expect([codes[0], codes.at(-1)]).toEqual(['RESOURCE_LIMIT', 'done']);
});

test('a gateway with 64 descriptors refuses by that limit, and serves again when some are free', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
  const serve = [codelabProgram, 'serve', '--port', '0', '--json', '--no-web', '--mode', 'trusted'];
  const child = spawn('bash', [...limited, '64', process.execPath, ...serve], {
    cwd: scratch.root,
    env: { ...process.env, CODELAB_HOME: scratch.home, CODELAB_TOKEN: 'a-long-token' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = await once(child.stdout, 'data');
    const { url } = JSON.parse(String(line)) as { url: string };
    const first = await socketTo({ url }, '/ws/first');
    const others: SocketClient[] = [];
    let wasLimited = false;
    for (let n = 0; n < 60 && !wasLimited; n++) {
      const code = await commandsOf(first, `round${n}`);
      wasLimited = code.includes('RESOURCE_LIMIT');
      expect(code.filter((candidate) => candidate !== 'RESOURCE_LIMIT' && candidate !== 'done')).toEqual([]);
      const other = await socketTo({ url }, `/ws/other${n}`).catch(() => undefined);
      if (other !== undefined) others.push(other);
    }
    expect(wasLimited).toBe(true);
    for (const other of others) other.end();
    await expect
      .poll(() => commandsOf(first, `after${Math.random()}`), { timeout: 15_000 })
      .toEqual(['done', 'done', 'done']);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

async function commandsOf(socket: SocketClient, name: string): Promise<string[]> {
  return await Promise.all(
    [0, 1, 2].map(async (n) => {
      const call_id = `${name}_${n}`;
      const args = { command: 'cat a.txt' };
      socket.send({ type: 'tool_call', tool_name: 'run_command', call_id, args, requires_approval: false });
      const { error } = (await socket.next(
        (message) => message.call_id === call_id && message.type === 'tool_result',
      )) as Answer;
      return error?.code ?? 'done';
    }),
  );
}
