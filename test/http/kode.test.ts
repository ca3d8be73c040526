import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpBench, type Lines } from '../support/http-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

const path = '/api/chat/stream';

async function allOf(lines: Lines): Promise<Json[]> {
  return (await lines.rest()).map(read).filter(({ type }) => type !== 'heartbeat');
}

function read(line: string): Json {
  expect(line.startsWith('data: ')).toBe(true);
  return JSON.parse(line.slice(6)) as Json;
}

const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
const time = expect.stringMatching(/^\d{4}-/);

function writing(root: () => string) {
  return scriptedModel((_request, step) =>
    step === 0
      ? { text: 'I write.', calls: [['Replace', { file_path: join(root(), 'new.py'), content: 'x = 1\n' }]] }
      : { text: 'Done.' },
  );
}

test('start, text, tool_use → backend_only → tool_result, done; the approval is given over another wire', async () => {
  let root = '';
  await using http = await httpBench({ model: writing(() => root) });
  root = http.bench.root;
  const body = { message: 'Write new.py', mode: 'edit', context: { userId: 'u1', workingDir: root } };
  const lines = await http.open(path, { method: 'POST', body });
  expect(lines.headers.get('content-type')).toContain('text/event-stream');
  const start = read(await lines.until((line) => line !== ''));
  expect(start).toEqual({
    type: 'start',
    model: 'scripted',
    timestamp: time,
    agentId: uuid,
    isNewSession: true,
  });
  const question = read(await lines.until((line) => line.includes('can_use_tool')));
  const file = join(root, 'new.py');
  expect(question).toMatchObject({
    tool_name: 'Replace',
    input: { file_path: file, content: 'x = 1\n' },
    tool_use_id: 'call_0_0',
    session_id: start.agentId,
  });
  expect((await http.post(String(question.approve))).status).toBe(200);
  const rest = await allOf(lines);
  expect(rest).toEqual([
    {
      type: 'backend_only',
      tool_name: 'Replace',
      tool_use_id: 'call_0_0',
      uuid,
      data: { type: 'create', filePath: file, content: 'x = 1\n', structuredPatch: [] },
      timestamp: time,
    },
    { type: 'tool_result', tool_use_id: 'call_0_0', result: expect.any(String), is_error: false },
    { type: 'text', content: 'Done.' },
    { type: 'done', metadata: { model: 'scripted', timestamp: time } },
  ]);
  expect(readFileSync(file, 'utf8')).toBe('x = 1\n');
});

test('with nobody to decide, what would be asked is refused at once, and the turn goes on', async () => {
  let root = '';
  await using http = await httpBench({ model: writing(() => root) });
  root = http.bench.root;
  const lines = await http.open(path, { method: 'POST', body: { message: 'Write', approvals: 'never' } });
  expect((await allOf(lines)).map(({ type, is_error }) => [type, is_error])).toEqual([
    ['start', undefined],
    ['text', undefined],
    ['tool_use', undefined],
    ['tool_result', true],
    ['text', undefined],
    ['done', undefined],
  ]);
});

test('mode ask has no tool that changes anything', async () => {
  const model = scriptedModel([{ text: 'Nothing to do.' }]);
  await using http = await httpBench({ model });
  await allOf(await http.open(path, { method: 'POST', body: { message: 'What is here?', mode: 'ask' } }));
  const names = model.requests[0]?.tools.map(({ name }) => name).sort() ?? [];
  // Language servers are offered where one is installed.
  const readsByServer = ['definition', 'diagnostics', 'hover', 'references', 'symbols'].map(
    (name) => `lsp_${name}`,
  );
  expect(names.filter((name) => !readsByServer.includes(name))).toEqual([
    'GlobTool',
    'GrepTool',
    'LS',
    'TodoWrite',
    'View',
  ]);
});

test('a refusal in mode ask names the tool as the model did', async () => {
  const model = scriptedModel((_request, step) =>
    step === 0 ? { calls: [['Replace', { file_path: 'a.py', content: '' }]] } : { text: 'Then not.' },
  );
  await using http = await httpBench({ model });
  const body = { message: 'Write.', mode: 'ask' };
  const events = await allOf(await http.open(path, { method: 'POST', body }));
  const refused = events.find(({ type }) => type === 'tool_result');
  expect(refused).toMatchObject({ is_error: true, result: expect.stringContaining('"Replace"') });
  expect(String(refused?.result)).not.toContain('write_file');
});

test('what the client names is brought along; a session is gone on with by its agentId', async () => {
  const model = scriptedModel([{ text: 'One.' }, { text: 'Two.' }]);
  await using http = await httpBench({ model, files: { 'a.txt': 'the text of a\n', 'sub/n.ipynb': '{}' } });
  const context = { files: ['a.txt', { path: 'none.txt' }], notebookPath: 'sub/n.ipynb', workingDir: 'sub' };
  const first = await allOf(await http.open(path, { method: 'POST', body: { message: 'First', context } }));
  const body = { message: 'Second', agentId: first[0]?.agentId };
  const second = await allOf(await http.open(path, { method: 'POST', body }));
  expect(second[0]).toMatchObject({ agentId: first[0]?.agentId, isNewSession: false });
  const requestText = JSON.stringify(model.requests[1]?.messages);
  for (const part of ['First', 'the text of a', 'Working directory: sub', 'Notebook: sub/n.ipynb', 'Second'])
    expect(requestText).toContain(part);
});

test('commands, searches and relative paths start in workingDir; a folder that is not there is refused', async () => {
  const model = scriptedModel([
    {
      calls: [
        ['Bash', { command: 'cat a.txt' }],
        ['View', { file_path: 'a.txt' }],
        ['GlobTool', { pattern: '*.txt' }],
      ],
    },
    { text: 'Done.' },
  ]);
  await using http = await httpBench({
    model,
    mode: 'trusted',
    files: { 'a.txt': 'of root', 'sub/a.txt': 'of sub' },
  });
  const body = { message: 'Look', context: { workingDir: 'sub' } };
  const all = await allOf(await http.open(path, { method: 'POST', body }));
  const file = join(http.bench.root, 'sub', 'a.txt');
  expect(all.filter(({ type }) => type === 'backend_only').map(({ data }) => data)).toMatchObject([
    { stdout: 'of sub' },
    { file: { content: 'of sub', filePath: file } },
    { filenames: [file] },
  ]);
  const missing = await http.post(path, { message: 'Look', context: { workingDir: 'nowhere' } });
  expect([missing.status, missing.body.error]).toEqual([404, 'NOT_FOUND']);
  expect(missing.body.message).toContain('nowhere');
});

test('requests at the same time do not share anything', async () => {
  const model = scriptedModel(({ messages }) => ({
    text: `heard ${JSON.stringify(messages).match(/number \d/)?.[0]}`,
  }));
  await using http = await httpBench({ model });
  const all = await Promise.all(
    [1, 2, 3].map(async (n) =>
      allOf(await http.open(path, { method: 'POST', body: { message: `number ${n}` } })),
    ),
  );
  expect(all.map((replyEvents) => replyEvents.find(({ type }) => type === 'text')?.content)).toEqual([
    'heard number 1',
    'heard number 2',
    'heard number 3',
  ]);
  expect(new Set(all.map(([start]) => start?.agentId)).size).toBe(3);
});

test('the turn is one of the shared session: whoever listens hears it, and a second one is refused while it runs', async () => {
  let root = '';
  await using http = await httpBench({ model: writing(() => root) });
  root = http.bench.root;
  const lines = await http.open(path, { method: 'POST', body: { message: 'Write' } });
  const question = read(await lines.until((line) => line.includes('can_use_tool')));
  const agentId = String(question.session_id);
  const second = await http.post(path, { message: 'And this', agentId });
  expect([second.status, second.body.error]).toEqual([409, 'CONFLICT']);
  const cancelled = await http.post(`/api/v1/sessions/${agentId}/cancel`);
  expect(cancelled.status).toBe(202);
  expect((await allOf(lines)).at(-1)).toMatchObject({ type: 'error', message: 'The turn was cancelled.' });
});

test('a client that hangs up cancels the turn and what it asked for', async () => {
  let root = '';
  await using http = await httpBench({ model: writing(() => root) });
  root = http.bench.root;
  const lines = await http.open(path, { method: 'POST', body: { message: 'Write' } });
  const question = read(await lines.until((line) => line.includes('can_use_tool')));
  lines.close();
  const session = String(question.session_id);
  for await (const { body } of http.bench.log.subscribe(session, {
    since: 0,
    signal: AbortSignal.timeout(10_000),
  })) {
    if (body.type !== 'turn.ended') continue;
    expect(body.end).toBe('cancelled');
    break;
  }
  const lateReply = await http.post(String(question.approve));
  expect(lateReply.status).toBe(400);
});

test('a heartbeat comes every two seconds', async () => {
  let root = '';
  await using http = await httpBench({ model: writing(() => root) });
  root = http.bench.root;
  const lines = await http.open(path, { method: 'POST', body: { message: 'Write' } });
  const beat = read(await lines.until((line) => line.includes('heartbeat')));
  expect(beat).toEqual({ type: 'heartbeat', message: 'processing', count: 1 });
  lines.close();
});

test.each([
  [{}, 400, 'BAD_REQUEST'],
  [{ message: '' }, 400, 'BAD_REQUEST'],
  [{ message: 'x', mode: 'fly' }, 400, 'BAD_REQUEST'],
  [{ message: 'x', context: { workingDir: '/etc' } }, 400, 'BAD_REQUEST'],
  [{ message: 'x', context: { files: ['../secret'] } }, 400, 'BAD_REQUEST'],
  [{ message: 'x', outputsPath: 'a\nb' }, 400, 'BAD_REQUEST'],
  [{ message: 'x', agentId: 'nobody' }, 404, 'NOT_FOUND'],
])('%j is refused', async (body, status, error) => {
  await using http = await httpBench();
  const answer = await http.post(path, body);
  expect([answer.status, answer.body.error]).toEqual([status, error]);
  expect(http.faults).toEqual([]);
});

test('X-API-Key opens the door, and a wrong one does not', async () => {
  await using http = await httpBench({ model: scriptedModel([{ text: 'Hi.' }]) });
  const send = (key: string) =>
    fetch(http.url + path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'x' }),
    });
  expect(await (await send(http.token)).text()).toContain('"type":"done"');
  const refused = await send('wrong');
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'UNAUTHORIZED' }]);
});
