/**
 * `npm run test:nats`: the gateway's own suites with the session log on a nats-server: wires, ownership, chaos, resuming after a restart,
 * executors, queues. Names of test files as arguments replace the selection.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { natsProgram, startNatsServers } from '../test/support/nats-servers.ts';
import { testLogVariable } from '../test/support/test-log.ts';

const root = join(import.meta.dirname, '..');
const names = [
  ...['approvals', 'chaos-executor', 'chaos-replay', 'clients', 'door', 'executor'],
  ...['executor-agent', 'executor-chaos', 'executor-fileless', 'executor-gone', 'hostile', 'left-calls'],
  ...['neutral', 'rest', 'restart', 'review', 'slow-listener', 'socket'],
].map((name) => `gateway/${name}`);
const wires = ['answers', 'examples', 'results', 'seed-002', 'split', 'turn'].map((name) => `wire/${name}`);
const http = ['executor', 'kode', 'ownership', 'plugin', 'streams'].map((name) => `http/${name}`);
const others = [
  'turns/message-queue',
  'calls/session-lists',
  'policy/who-asked',
  'attacks/tenants',
  'client/stream',
];

const chosenFiles = process.argv.slice(2);
const files =
  chosenFiles.length > 0
    ? chosenFiles
    : [...names, ...wires, ...http, ...others].map((name) => `test/${name}.test.ts`);
if (natsProgram === undefined) process.exit(1);
await using servers = await startNatsServers();
const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, [testLogVariable]: servers.url },
});
const [code] = (await once(child, 'close')) as [number | null];
process.exitCode = code ?? 1;
