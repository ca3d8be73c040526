// The extension's chat, questions and tools without the editor around them: a real gateway with the demo model, real folders, real programs.
// What needs the editor itself is in vscode-extension.test.ts.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeLabAPI } from '@codelab/client';
import { type EditorFiles, openJournalStore } from '@codelab/client/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Approvals, createApprovals } from '../../apps/vscode/src/approvals/approvals.ts';
import { type ChatSession, openChatSession } from '../../apps/vscode/src/chat/chat-session.ts';
import { openWorkspaceTools, type WorkspaceTools } from '../../apps/vscode/src/tools/workspace-tools.ts';
import { demoModel } from '../../packages/agent/src/demo/demo-model.ts';
import { freePort } from '../support/bad-lines.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const five = Array.from({ length: 50 }, (_, at) => `line ${at + 1}\n`);
const changed = (at: readonly number[]): string =>
  five.map((line, i) => (at.includes(i) ? `changed ${i}\n` : line)).join('');

let gateway: GatewayBench;
let folders: ReturnType<typeof scratchFolder>;
let chat: ChatSession;
let tools: WorkspaceTools;
let approvals: Approvals;
let isTrusted = false;
const approvalMs = 60_000;

beforeAll(async () => {
  gateway = await gatewayBench({ isFileless: true, script: demoModel, port: await freePort() });
  folders = scratchFolder({ files: { 'app/five.txt': five.join(''), 'lib/b.txt': 'of lib\n' } });
  const { url } = gateway.running;
  const api = new CodeLabAPI({ url, token: 'secret-token' });
  const { session_id: session } = await api.chats.open({ executor: 'client' });
  const editor: EditorFiles = {
    unsaved: () => undefined,
    write: ({ file, after }) => {
      writeFileSync(file, after);
      return Promise.resolve(after);
    },
  };
  approvals = createApprovals({
    approvalMs: () => approvalMs,
    propose: (args) => tools.propose(args),
    onChange: () => undefined,
    onAsked: () => undefined,
    beforeAnswer: () => Promise.resolve(),
  });
  tools = openWorkspaceTools({
    folders: () => ['app', 'lib'].map((name) => ({ name, root: join(folders.root, name) })),
    isTrusted: () => isTrusted,
    editor,
    home: join(folders.home, 'extension'),
    session,
    trustsGateway: true,
    ask: (request, signal) => approvals.ask(request, signal),
    onNotice: () => undefined,
  });
  chat = openChatSession({
    gateway: { url, token: 'secret-token', isEmbedded: true, [Symbol.asyncDispose]: () => Promise.resolve() },
    settings: { approvalMs },
    api,
    session,
    tools,
    approvals,
    store: openJournalStore(join(folders.home, 'executions.jsonl')),
    onFrame: () => undefined,
    onState: () => undefined,
    onNotice: () => undefined,
  });
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
  folders[Symbol.dispose]();
});
beforeEach(() => {
  isTrusted = true;
});

const call = (tool: string, args: object): Promise<void> =>
  chat.say(`call ${tool} ${JSON.stringify(args)}`, '');
const text = (name: string): string => readFileSync(join(folders.root, name), 'utf8');
const bodies = () => chat.frames.flatMap((frame) => (frame.type === 'event' ? [frame.event.body] : []));

async function question() {
  await expect.poll(() => approvals.first, { timeout: 10_000 }).toBeDefined();
  return approvals.first as NonNullable<typeof approvals.first>;
}

let turns = 0;
/** The outcome of the call in the finished turn. */
async function outcome() {
  turns++;
  const ended = (): number => bodies().filter(({ type }) => type === 'turn.ended').length;
  await expect.poll(ended, { timeout: 20_000 }).toBe(turns);
  const last = bodies().findLast((body) => body.type === 'call.finished');
  return last?.type === 'call.finished' ? last.outcome : undefined;
}

test('several folders, not trusted: they are listed and read; nothing is changed or run, and nobody is asked', async () => {
  isTrusted = false;
  await call('list_directory', { path: '.' });
  expect(JSON.stringify(await outcome())).toMatch(/"app".*"lib"/);
  await call('read_file', { path: 'lib/b.txt' });
  expect(JSON.stringify(await outcome())).toContain('of lib');
  for (const [tool, args] of [
    ['write_file', { path: 'app/x.txt', content: 'x' }],
    ['execute_command', { command: 'touch', args: ['x.txt'] }],
  ] as const) {
    await call(tool, args);
    expect(JSON.stringify(await outcome())).toContain('This workspace is not trusted');
  }
  expect([approvals.views, existsSync(join(folders.root, 'app/x.txt'))]).toEqual([[], false]);
});

test('a change in five parts is asked with its risk, and three of them are written', async () => {
  await call('write_file', { path: 'app/five.txt', content: changed([2, 12, 22, 32, 42]) });
  const { key, risk, change } = await question();
  expect([risk, change?.path, change?.hunks, change?.isNew]).toEqual(['high', 'app/five.txt', 5, false]);
  expect(approvals.approve(key, [1, 3, 5])).toBe(true);
  expect(approvals.approve(key)).toBe(false);
  expect(await outcome()).toMatchObject({ status: 'completed' });
  expect(text('app/five.txt')).toBe(changed([2, 22, 42]));
});

test('a rejection reaches the agent with its reason, and so does a command that was ended after its time', async () => {
  await call('write_file', { path: 'app/no.txt', content: 'x' });
  approvals.reject((await question()).key, 'Looks risky');
  expect(JSON.stringify(await outcome())).toContain('Looks risky');
  await call('execute_command', { command: 'tail', args: ['-f', 'five.txt'], cwd: 'app', timeout: 500 });
  const { key, command } = await question();
  expect(command).toBe('tail -f five.txt');
  approvals.approve(key);
  expect(JSON.stringify(await outcome())).toContain('exceeded its time limit');
  expect(existsSync(join(folders.root, 'app/no.txt'))).toBe(false);
});

test('a path that leaves the folders is not asked about', async () => {
  symlinkSync('/etc', join(folders.root, 'app/etc'));
  for (const path of ['../x', 'app/../../x', 'app/etc/x', '/etc/x']) {
    await call('write_file', { path, content: 'x' });
    expect([path, (await outcome())?.status]).not.toEqual([path, 'completed']);
  }
  expect(approvals.views).toEqual([]);
});

test('a gateway that restarts during a question takes the answer, and the call runs once', async () => {
  await call('write_file', { path: 'lib/once.txt', content: 'once' });
  await question();
  await gateway.restart();
  const { key } = await question();
  approvals.approve(key);
  await expect.poll(() => existsSync(join(folders.root, 'lib/once.txt')), { timeout: 20_000 }).toBe(true);
  // A second run would put it there again.
  writeFileSync(join(folders.root, 'lib/once.txt'), 'seen');
  expect(await outcome()).toMatchObject({ status: 'completed' });
  expect(text('lib/once.txt')).toBe('seen');
});
