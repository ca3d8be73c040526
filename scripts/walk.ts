/**
 * `npm run walk`: how many of our source files execute a function in one call, run from source with V8 coverage.
 * Two calls: `codelab tool write_file` with every approval given, and a `tool_call` over a WebSocket that a client approves.
 * Flags: --list prints the files, --check fails when a walk is longer than `most`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';

type Script = { url: string; functions: { functionName: string; ranges: { count: number }[] }[] };
type Walk = { name: string; maxFiles: number; play(place: Place): Promise<void> };
type Place = { workspace: string; env: NodeJS.ProcessEnv; path: string };

const root = join(import.meta.dirname, '..');
const main = join(root, 'apps/cli/src/main.ts');
const token = 'a-token-for-the-walk';

const walks: Walk[] = [
  { name: 'codelab tool write_file', maxFiles: 61, play: playCommand },
  { name: 'WebSocket tool_call with an approval', maxFiles: 113, play: playSocket },
];

const { values: flags } = parseArgs({
  options: { list: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});

for (const walk of walks) {
  const files = await filesOf(walk);
  console.log(`${walk.name}: ${files.length} files (at most ${walk.maxFiles})`);
  for (const [name, packageFiles] of Object.entries(Object.groupBy(files, packageOf))) {
    console.log(`  ${name.padEnd(18)} ${packageFiles?.length ?? 0}`);
    if (flags.list) for (const file of packageFiles ?? []) console.log(`    ${file}`);
  }
  if (flags.check && files.length > walk.maxFiles) process.exitCode = 1;
}

async function filesOf({ play }: Walk): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'codelab-walk-'));
  try {
    const [workspace, home, coverage] = ['workspace', 'home', 'coverage'].map((name) => join(scratch, name));
    if (workspace === undefined || home === undefined || coverage === undefined) return [];
    for (const folder of [workspace, home]) mkdirSync(folder);
    const env = {
      ...process.env,
      CODELAB_HOME: home,
      CODELAB_KEYS: join(scratch, 'keys'),
      CODELAB_TOKEN: token,
    };
    // The first call of a home also makes its keys and its database, which no later call does.
    await playCommand({ workspace, env, path: 'first.txt' });
    await play({ workspace, env: { ...env, NODE_V8_COVERAGE: coverage }, path: 'second.txt' });
    return executedIn(coverage);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The first function of a script is the module itself: that it was loaded says nothing about the way of a call. */
function executedIn(coverage: string): string[] {
  const scripts = readdirSync(coverage).flatMap(
    (name) => (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: Script[] }).result,
  );
  const executed = scripts.filter(({ functions: [, ...inner] }) =>
    inner.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  );
  const files = executed.map(({ url }) =>
    url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '',
  );
  return [...new Set(files)].filter((file) => /^(packages|apps)\/[^/]+\/src\//.test(file)).sort();
}

function packageOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

async function playCommand({ workspace, env, path }: Place): Promise<void> {
  const args = JSON.stringify({ path, content: 'hello\n' });
  const command = ['tool', 'write_file', args, '--approve', 'all', '--workspace', workspace];
  const child = spawn(process.execPath, [main, ...command], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`codelab tool ended with ${code}`);
}

async function playSocket({ workspace, env, path }: Place): Promise<void> {
  const command = ['serve', '--workspace', workspace, '--port', '0'];
  const child = spawn(process.execPath, [main, ...command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await callOver(await addressOf(child.stdout), path);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('codelab serve ended before it listened');
}

async function callOver(address: string, path: string): Promise<void> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/walk`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  await once(socket, 'open');
  const call = { type: 'tool_call', call_id: 'walk-1', tool_name: 'write_file', requires_approval: true };
  send({ ...call, arguments: { path, content: 'hello\n' } });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the socket was closed before the result')));
    socket.on('message', (data: Buffer) => {
      const { type, ...message } = JSON.parse(data.toString('utf8')) as { type?: string };
      if (type === 'tool_call') send({ type: 'hitl_decision', call_id: 'walk-1', decision: 'approve' });
      if (type === 'error') reject(new Error(JSON.stringify(message)));
      if (type === 'tool_result') resolve();
    });
  });
  socket.close();
}
