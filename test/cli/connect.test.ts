// `codelab connect` between a real gateway and files of its own: where calls are carried out, who has to agree, and that each runs once.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/bad-lines.ts';
import { connectBench } from '../support/connect-bench.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Call = [tool: string, args: Record<string, unknown>];

const turnOf = (...calls: Call[]) =>
  scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]);
const edit: Call = ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }];

test('an agent’s turn at the gateway changes files on the side of `connect` only', {
  timeout: 60_000,
}, async () => {
  using localFolder = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const script = turnOf(['read_file', { path: 'a.txt' }], edit);
  await using bench = await gatewayBench({ script, files: { 'a.txt': 'one\n' } });
  await using connect = connectBench({ ...localFolder, url: bench.running.url, args: ['--trust-gateway'] });
  expect(await connect.next('connected')).toMatchObject({ session: 's1' });
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Edit it.' });
  const question = await human.next('tool_call', (message) => message.requires_approval === true);
  expect(await connect.next('left')).toMatchObject({ tool: 'edit_file' });
  human.send({ type: 'hitl_decision', call_id: question.call_id, decision: 'approve' });
  expect(await human.next('done')).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('two\n');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(bench.faults).toEqual([]);
  connect.child.kill('SIGINT');
  expect(await connect.ended).toBe(0);
});

test('what was approved at the gateway is still asked here, and nobody here means no', {
  timeout: 60_000,
}, async () => {
  using localFolder = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const script = turnOf(edit);
  await using bench = await gatewayBench({ script });
  await using connect = connectBench({ ...localFolder, url: bench.running.url });
  await connect.next('connected');
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Edit it.' });
  const { call_id } = await human.next('tool_call', (message) => message.requires_approval === true);
  human.send({ type: 'hitl_decision', call_id, decision: 'approve' });
  expect(await human.next('tool_result')).toMatchObject({
    call_id,
    error: expect.stringContaining('this run cannot ask'),
  });
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('with --approve all the word given here is the gateway’s decision as well', {
  timeout: 60_000,
}, async () => {
  using localFolder = scratchFolder({ files: { 'a.txt': 'one\n' } });
  await using bench = await gatewayBench({ script: turnOf(edit) });
  await using connect = connectBench({ ...localFolder, url: bench.running.url, args: ['--approve', 'all'] });
  await connect.next('connected');
  const viewer = await bench.connect('s1', { query: '?role=approver' });
  viewer.send({ type: 'user_message', content: 'Edit it.' });
  expect(
    await viewer.next('status', (message) => (message.metadata as { state?: string })?.state === 'decided'),
  ).toMatchObject({ metadata: { decision: 'approve' } });
  await viewer.next('done');
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('two\n');
});

test('what is denied here is not done, whoever approved it', { timeout: 60_000 }, async () => {
  using localFolder = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const deny = { id: 'no-a', effect: 'deny', reason: 'Leave it.', path: 'a.txt', access: ['write'] };
  writeFileSync(join(localFolder.home, 'config.json'), JSON.stringify({ policy: { rules: [deny] } }));
  const script = turnOf(
    edit,
    ['write_file', { path: '../out.txt', content: 'x' }],
    ['task', { description: 'x', prompt: 'x' }],
  );
  await using bench = await gatewayBench({ script });
  const args = ['--trust-gateway', '--approve', 'all'];
  await using connect = connectBench({ ...localFolder, url: bench.running.url, args });
  await connect.next('connected');
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Edit it.' });
  await human.next('done');
  const results = human.received.filter(({ type }) => type === 'tool_result');
  expect(String(results[0]?.error)).toContain('no-a');
  expect(readFileSync(join(localFolder.root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(existsSync(join(localFolder.folder, 'out.txt'))).toBe(false);
});

test('a gateway that is restarted finds its executor again, and the call that ran meanwhile ran once', {
  timeout: 60_000,
}, async () => {
  using localFolder = scratchFolder();
  const command = `echo ran >> runs; until test -e go; do sleep 0.05; done`;
  const port = await freePort();
  await using bench = await gatewayBench({ port, script: turnOf(['run_command', { command }]) });
  await using connect = connectBench({ ...localFolder, url: bench.running.url, args: ['--approve', 'all'] });
  await connect.next('connected');
  const before = await bench.connect('s1', { query: '?role=approver' });
  before.send({ type: 'user_message', content: 'Run it.' });
  await expect.poll(() => existsSync(join(localFolder.root, 'runs')), { timeout: 10_000 }).toBe(true);
  await bench.restart();
  await connect.next('waiting');
  writeFileSync(join(localFolder.root, 'go'), '');
  await connect.next('connected');
  const human = await bench.connect('s1', { query: '?role=approver&since=0' });
  expect(await human.next('tool_result', (message) => message.seq !== undefined)).toBeDefined();
  expect(readFileSync(join(localFolder.root, 'runs'), 'utf8')).toBe('ran\n');
});

test('killed in the midst of a call and started again, it says that nobody knows, and does not repeat it', {
  timeout: 60_000,
}, async () => {
  using localFolder = scratchFolder();
  const command = `echo ran >> runs; sleep 30`;
  await using bench = await gatewayBench({ script: turnOf(['run_command', { command }]) });
  const options = { ...localFolder, url: bench.running.url, args: ['--approve', 'all'] };
  await using first = connectBench(options);
  await first.next('connected');
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Run it.' });
  await expect.poll(() => existsSync(join(localFolder.root, 'runs')), { timeout: 10_000 }).toBe(true);
  first.child.kill('SIGKILL');
  await first.ended;
  await using second = connectBench(options);
  await second.next('connected');
  const isFinal = (one: Record<string, unknown>): boolean => one.seq !== undefined;
  expect(await human.next('tool_result', isFinal)).toMatchObject({ error_code: 'OUTCOME_UNKNOWN' });
  expect(readFileSync(join(localFolder.root, 'runs'), 'utf8')).toBe('ran\n');
});

test('ended by the user, it cancels what runs and the gateway hears of it', { timeout: 60_000 }, async () => {
  using localFolder = scratchFolder();
  await using bench = await gatewayBench({
    script: turnOf(['run_command', { command: 'touch begun; sleep 30' }]),
  });
  await using connect = connectBench({ ...localFolder, url: bench.running.url, args: ['--approve', 'all'] });
  await connect.next('connected');
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Run it.' });
  await expect.poll(() => existsSync(join(localFolder.root, 'begun')), { timeout: 10_000 }).toBe(true);
  connect.child.kill('SIGINT');
  const isFinal = (one: Record<string, unknown>): boolean => one.seq !== undefined;
  expect(await human.next('tool_result', isFinal)).toMatchObject({ error_code: 'CANCELLED' });
  expect(await connect.ended).toBe(0);
});

test('wrong tokens and addresses are said plainly, and the token is nowhere', {
  timeout: 60_000,
}, async () => {
  using localFolder = scratchFolder();
  await using bench = await gatewayBench();
  const { url } = bench.running;
  await using wrong = connectBench({
    ...localFolder,
    url: `${url}/?token=ignored`,
    args: ['--token', 'wrong-token'],
  });
  expect(await wrong.ended).toBe(1);
  expect(wrong.errors.join('\n')).toContain('UNAUTHORIZED');
  expect(wrong.errors.join('\n')).not.toContain('wrong-token');
  await using wrongBench = connectBench({ ...localFolder, url: 'ftp://127.0.0.1' });
  expect(await wrongBench.ended).toBe(2);
});
