// Hooks: what they see and decide, that they are calls like any other, and that nobody but the user has one run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTrust } from '@codelab/server';
import { openTurn } from '@codelab/server/agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playTurn } from '../support/agent-bench.ts';
import { modelServer } from '../support/model-server.ts';
import { linesOf, runBench, textAnswer } from '../support/run-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-hooks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Notes what it is told, and fails where it finds the word SECRET.
const guard = `
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  require('node:fs').appendFileSync('seen.log', text + '\\n');
  if (!text.includes('SECRET')) return;
  console.error('No secrets in files.');
  process.exit(1);
});`;

const hook = { command: 'node guard.cjs' };
const allow = (id: string, what: object) => ({ id, effect: 'allow', reason: 'Test.', ...what });
const allowGuard = allow('guard', hook);
const allowWrites = allow('writes', { tool: 'write_file' });

function write(path: string, value: object): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = JSON.stringify(value);
  writeFileSync(file, text);
  return text;
}

/** The user's configuration, then everything that reads it. */
async function open(config: object): Promise<Workbench> {
  write('home/config.json', config);
  return await workbench({ folder, files: { 'guard.cjs': guard, 'a.txt': 'one\n' } });
}

type Seen = Record<string, unknown>;
const hookInputs = (): Seen[] => {
  const file = join(folder, 'work', 'seen.log');
  return existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : [];
};

const writes = (content: string, id: string) => ({
  calls: [['write_file', { path: 'new.txt', content }, id] as [string, Record<string, unknown>, string]],
});

test('before a call one may refuse it, with a reason that the model reads; it is recorded like any call', async () => {
  const hooks = { before_call: [{ ...hook, tools: ['write_*'] }] };
  await using bench = await open({ policy: { rules: [allowGuard, allowWrites] }, hooks });
  const model = scriptedModel([
    { calls: [['read_file', { path: 'a.txt' }, 'c0']] },
    writes('SECRET\n', 'c1'),
    writes("'; touch pwned; echo '\n", 'c2'),
  ]);
  const { toolTexts, bodies } = await playTurn(bench, model);
  expect(toolTexts[1]).toMatch(
    /^PERMISSION_DENIED: The hook `node guard.cjs` refused this call. No secrets in files\./,
  );
  expect(toolTexts[2]).toContain('created');
  expect(existsSync(join(bench.root, 'pwned'))).toBe(false);
  const call = { id: 'c1', tool: 'write_file', args: { path: 'new.txt', content: 'SECRET\n' } };
  expect(hookInputs()).toMatchObject([
    { event: 'before_call', session: 's1', turn: 1, workspace: bench.host.workspace.root.real, call },
    { event: 'before_call', call: { id: 'c2' } },
  ]);
  const calls = bodies.flatMap((body) => (body.type === 'call.received' ? [body.call] : []));
  const by = { who: 'hook', via: 'before_call c1' };
  expect(calls).toContainEqual(expect.objectContaining({ tool: 'run_command', by, turn: 1 }));
});

test('after a call one may complain; the model reads it, also when the session is opened again', async () => {
  await using bench = await open({
    policy: { rules: [allowGuard, allowWrites] },
    hooks: { after_call: [hook] },
  });
  const { toolTexts } = await playTurn(bench, scriptedModel([writes('SECRET\n', 'c1')]));
  expect(toolTexts).toEqual([
    expect.stringMatching(
      /created[\s\S]*The hook `node guard.cjs` failed after this call. No secrets in files\.$/,
    ),
  ]);
  expect(hookInputs()).toMatchObject([{ outcome: { status: 'completed', changed_paths: ['new.txt'] } }]);
  await bench.restart();
  const reopened = await openTurn({
    ...{ host: bench.host, agents: bench.agents, session: 's1', emit: () => undefined },
    openModel: async () => scriptedModel([]),
  });
  expect(
    reopened.talk.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : [])),
  ).toEqual(toolTexts);
});

test('a hook that policy denies or nobody allows, or that hangs, refuses the call', async () => {
  const rules = [
    allowWrites,
    { ...allow('no', { command: 'curl *' }), effect: 'deny' },
    allow('s', { command: 'sleep 30' }),
  ];
  const hooks = {
    before_call: [
      { ...hook, tools: ['write_file'] },
      { command: 'curl example.com', tools: ['list_files'] },
      { command: 'sleep 30', timeout_seconds: 1, tools: ['read_file'] },
    ],
  };
  await using bench = await open({ policy: { rules }, hooks });
  const askedLines: string[] = [];
  bench.human(({ plan }) => {
    askedLines.push(plan.command?.line ?? '');
    return { kind: 'reject' };
  });
  const model = scriptedModel([
    writes('x\n', 'c1'),
    { calls: [['list_files', { path: '.' }, 'c2']] },
    { calls: [['read_file', { path: 'a.txt' }, 'c3']] },
  ]);
  const { toolTexts } = await playTurn(bench, model);
  expect(toolTexts).toEqual([
    expect.stringContaining(
      'The hook `node guard.cjs` refused this call. It was not run: A human refused this call.',
    ),
    expect.stringContaining(
      'The hook `curl example.com` refused this call. It was not run: Denied by the rule "no"',
    ),
    expect.stringContaining('The hook `sleep 30` refused this call. It did not end in time'),
  ]);
  expect(askedLines).toEqual(['node guard.cjs']);
  expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
});

test('a human who is asked about the hook, and agrees, has it run', async () => {
  await using bench = await open({ policy: { rules: [allowWrites] }, hooks: { before_call: [hook] } });
  bench.human(approveAll);
  const { toolTexts, signals } = await playTurn(bench, scriptedModel([writes('x\n', 'c1')]));
  expect(toolTexts).toEqual([expect.stringContaining('created')]);
  // The approval is shown to everyone who watches the turn.
  expect(signals.filter(({ type }) => type === 'approval' || type === 'decided')).toHaveLength(2);
});

test('roles don’t keep a hook from its work, and no model reaches the standard input of a command', async () => {
  const hooks = { before_call: [{ ...hook, tools: ['read_*'] }] };
  await using bench = await open({ policy: { rules: [allowGuard] }, hooks });
  bench.human(approveAll);
  const read = {
    calls: [['read_file', { path: 'a.txt' }, 'c1'] as [string, Record<string, unknown>, string]],
  };
  await playTurn(bench, scriptedModel([read]), { profile: 'plan' });
  expect(hookInputs()).toMatchObject([{ event: 'before_call', call: { id: 'c1' }, profile: 'plan' }]);
  const cat = scriptedModel([
    { calls: [['run_command', { command: 'cat', input: 'from the model' }, 'c2']] },
  ]);
  const { toolTexts } = await playTurn(bench, cat);
  expect(toolTexts.at(-1)).not.toContain('from the model');
});

test('a workspace’s hooks are run only while the user trusts exactly that configuration', async () => {
  write('work/.codelab/config.json', { hooks: { turn_end: [hook] } });
  await using bench = await open({ policy: { rules: [allowGuard] } });
  const play = async (): Promise<number> => {
    await bench.restart();
    await playTurn(bench, scriptedModel([{ text: 'done' }]));
    return hookInputs().length;
  };
  expect(await play()).toBe(0);
  const { real } = bench.host.workspace.root;
  await setTrust(bench.home, real, write('work/.codelab/config.json', { hooks: { turn_end: [hook] } }));
  expect(await play()).toBe(1);
  // A changed text is another configuration.
  write('work/.codelab/config.json', { hooks: { turn_end: [hook, hook] } });
  expect(await play()).toBe(1);
});

test('at the end of a turn one is told what came of it; the user reads why it failed, and which hooks are not trusted', async () => {
  using bench = runBench();
  folder = join(bench.workspace, '..');
  write('workspace/.codelab/config.json', { hooks: { before_call: [hook], turn_end: [hook] } });
  write('home/config.json', { policy: { rules: [allowGuard] }, hooks: { turn_end: [hook] } });
  writeFileSync(join(bench.workspace, 'guard.cjs'), guard);
  await using server = await modelServer([textAnswer('It is a SECRET.')]);
  const { code, stdout, stderr } = await bench.codelab(server, 'run', 'go');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is a SECRET.\n' });
  expect(stderr).toContain('2 hooks of this workspace are not run.');
  expect(stderr).toContain('The hook `node guard.cjs` failed at the end of the turn. No secrets in files.');
  const hookInputs = linesOf(readFileSync(join(bench.workspace, 'seen.log'), 'utf8'));
  expect(hookInputs).toMatchObject([
    { event: 'turn_end', turn: 1, end: 'completed', text: 'It is a SECRET.', changed_paths: [] },
  ]);
});

test('a mistake in the hooks stops the program: nothing runs without them', async () => {
  await expect(open({ hooks: { before_call: [{ comand: 'node guard.cjs' }] } })).rejects.toThrow(
    /hooks\.before_call/,
  );
});

test('the example of docs/hooks.md is a configuration, and its check does what it says', async () => {
  const doc = readFileSync(join(import.meta.dirname, '../..', 'docs', 'hooks.md'), 'utf8');
  const [, config = ''] = /```json\n([\s\S]*?)```/.exec(doc) ?? [];
  const [, check = ''] = /```js\n([\s\S]*?)```/.exec(doc) ?? [];
  const { hooks, policy } = JSON.parse(config) as {
    hooks: { before_call: object[] };
    policy: { rules: object[] };
  };
  write('home/config.json', {
    hooks: { before_call: hooks.before_call },
    policy: { rules: [...policy.rules, allowWrites] },
  });
  await using bench = await workbench({ folder, files: { 'scripts/check-change.js': check } });
  const model = scriptedModel([writes('BEGIN PRIVATE KEY', 'c1'), writes('fine\n', 'c2')]);
  const { toolTexts } = await playTurn(bench, model);
  expect(toolTexts).toEqual([
    expect.stringContaining('No private keys in files.'),
    expect.stringContaining('created'),
  ]);
});
