// `codelab run` as a whole process, against a model's server on loopback.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelAnswer, modelServer } from '../support/model-server.ts';
import {
  callAnswer,
  linesOf,
  messagesOf,
  type RunBench,
  runBench,
  textAnswer,
} from '../support/run-bench.ts';

let bench: RunBench;
beforeEach(() => {
  bench = runBench();
});
afterEach(() => bench[Symbol.dispose]());

describe('run', { timeout: 60_000 }, () => {
  test('--approve never: nothing is written, the model is told, and the end says so', async () => {
    await using server = await modelServer([
      callAnswer('write_file', { path: 'b.txt', content: 'x\n' }),
      textAnswer('I could not.'),
    ]);
    const { code, stdout, stderr } = await bench.codelab(server, 'run', 'write', '--approve', 'never');
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'I could not.\n' });
    expect(stderr).toContain('1 call was refused because nobody was there to approve.');
    expect(existsSync(join(bench.workspace, 'b.txt'))).toBe(false);
    expect(messagesOf(server, -1).at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining(
        'This call needs approval and this run cannot ask, so it did not run.',
      ),
    });
  });

  test('--approve all writes, and codelab undo restores', async () => {
    await using server = await modelServer([
      callAnswer('write_file', { path: 'a.txt', content: 'two\n' }),
      textAnswer('Done.'),
    ]);
    expect(await bench.codelab(server, 'run', 'write', '--approve', 'all')).toMatchObject({
      code: 0,
      stdout: 'Done.\n',
    });
    expect(bench.textOf('a.txt')).toBe('two\n');
    expect(await bench.codelab(server, 'undo')).toMatchObject({ code: 0, stdout: 'restored a.txt\n' });
    expect(bench.textOf('a.txt')).toBe('one\n');
  });

  test('json: one object with the answer, the calls and what it used', async () => {
    await using server = await modelServer([
      callAnswer('read_file', { path: 'a.txt' }),
      textAnswer('It says one.'),
    ]);
    const { code, stdout } = await bench.codelab(server, 'run', 'read', '--output', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      turn: 1,
      end: 'completed',
      text: 'It says one.',
      model: 'openai/test',
      calls: [{ tool: 'read_file', status: 'completed' }],
      refused: 0,
      usage: { input_tokens: 20_000, output_tokens: 10 },
    });
  });

  test('stream-json: every line a neutral event, in the order of the log', async () => {
    await using server = await modelServer([
      callAnswer('read_file', { path: 'a.txt' }),
      textAnswer('It says one.'),
    ]);
    const lines = linesOf((await bench.codelab(server, 'run', 'read', '--output', 'stream-json')).stdout);
    const logLines = lines.filter(({ seq }) => seq !== undefined);
    expect(logLines.map(({ seq }) => seq)).toEqual(logLines.map((_, i) => i + 1));
    expect(logLines.map(({ type }) => type)).toEqual([
      'session.opened',
      'turn.started',
      'model.replied',
      'call.received',
      'call.planned',
      'call.finished',
      'model.replied',
      'turn.ended',
    ]);
    expect(
      lines
        .filter(({ type }) => type === 'text')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('It says one.');
    expect(lines.filter(({ type }) => type === 'status').at(-1)).toMatchObject({ status: 'idle' });
  });

  test('backend_only: tool_use, backend_only, tool_result with one id, in Kode’s words', async () => {
    await using server = await modelServer([
      callAnswer('View', { file_path: 'a.txt' }),
      textAnswer('It says one.'),
    ]);
    const lines = linesOf((await bench.codelab(server, 'run', 'read', '--output', 'backend_only')).stdout);
    expect(lines.map(({ type }) => type)).toEqual([
      'start',
      'tool_use',
      'backend_only',
      'tool_result',
      'text',
      'done',
    ]);
    const [, use, only, result] = lines;
    expect(use).toMatchObject({ tool: 'View', input: { file_path: 'a.txt' } });
    expect(only).toMatchObject({ tool_name: 'View', tool_use_id: use?.id, data: { type: 'text' } });
    expect(result).toMatchObject({ tool_use_id: use?.id, is_error: false });
    const tools = (server.requests[0]?.body.tools ?? []) as { function: { name: string } }[];
    const offeredNames = tools.map((tool) => tool.function.name);
    expect(offeredNames).toContain('Replace');
    expect(offeredNames).not.toContain('write_file');
  });

  test('backend_only: a call that can’t be read or was refused has a tool_use, too, and no backend_only', async () => {
    const broken = callAnswer('View', {});
    const cut = { ...broken, pieces: broken.pieces.map((piece) => String(piece).replace('"{}"', '"{"')) };
    const write = callAnswer('Replace', { file_path: 'b.txt', content: 'x' }, 'call_2');
    await using server = await modelServer([
      cut,
      write,
      callAnswer('Nothing', {}, 'call_3'),
      textAnswer('Well.'),
    ]);
    const lines = linesOf((await bench.codelab(server, 'run', 'do', '--output', 'backend_only')).stdout);
    const types = lines.map(({ type, id, tool_use_id }) => [type, id ?? tool_use_id].join(' ').trim());
    expect(types).toEqual([
      'start',
      ...['call_1', 'call_2', 'call_3'].flatMap((id) => [`tool_use ${id}`, `tool_result ${id}`]),
      'text',
      'done',
    ]);
  });

  test('an MCP server that does not start is told of', async () => {
    const home = join(bench.workspace, '..', 'home');
    mkdirSync(home, { recursive: true });
    const servers = { gone: { command: process.execPath, args: ['-e', 'process.exit(3)'] } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ mcp: { servers } }));
    await using server = await modelServer([textAnswer('ok')]);
    const { code, stderr } = await bench.codelab(server, 'run', 'hello');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The MCP server gone .* exit code 3\.\n$/);
  });

  test('a connection cut in the middle of the answer: standard output has the answer once', async () => {
    const start = `data: ${JSON.stringify({ choices: [{ delta: { content: 'It sa' } }] })}\n\n`;
    const cut: ModelAnswer = { pieces: [start], after: 'cut' };
    await using server = await modelServer([
      cut,
      textAnswer('It says one.'),
      cut,
      textAnswer('It says one.'),
    ]);
    const { code, stdout, stderr } = await bench.codelab(server, 'run', 'read');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It says one.\n' });
    expect(stderr).toMatch(/Retrying( in \d+ s)? from the start\./);
    const streamed = await bench.codelab(server, 'run', 'read', '--output', 'stream-json');
    const lines = linesOf(streamed.stdout);
    const textsAndRetries = lines.filter(({ type }) => type === 'text' || type === 'retry');
    expect(textsAndRetries).toMatchObject([
      { delta: 'It sa' },
      { discards: true },
      { delta: 'It says one.' },
    ]);
    expect(lines.at(-1)).toMatchObject({ type: 'result', text: 'It says one.' });
  });

  test('a model that can’t be reached: exit 1 and what to do', async () => {
    const { code, stderr } = await bench.codelab({ url: 'http://127.0.0.1:9/v1' }, 'run', 'hello');
    expect(code).toBe(1);
    expect(stderr).toMatch(/ended as failed: .*127\.0\.0\.1:9/);
  });

  test('`codelab init`, and /init in the chat, ask the agent for an AGENTS.md', async () => {
    const file = { path: 'AGENTS.md', content: '# Notes\n' };
    await using server = await modelServer([
      callAnswer('write_file', file),
      textAnswer('Written.'),
      textAnswer('ok'),
    ]);
    const output = await bench.codelab(server, 'init', '--approve', 'all');
    expect(output).toMatchObject({ code: 0, stdout: 'Written.\n' });
    expect(bench.textOf('AGENTS.md')).toBe('# Notes\n');
    await bench.piped(server, { text: '/init\n' }, 'chat');
    for (const request of [0, 2])
      expect(messagesOf(server, request)[1]?.content).toMatch(/^Write or improve AGENTS\.md at the root/);
  });

  test('@path shows the model that file, AGENTS.md is told to it once it is trusted', async () => {
    writeFileSync(join(bench.workspace, 'AGENTS.md'), 'Always be brief.\n');
    await using server = await modelServer([textAnswer('ok'), textAnswer('ok')]);
    const before = await bench.codelab(server, 'run', 'What is in @a.txt?');
    expect(before.stderr).toContain('not trusted them: AGENTS.md.');
    expect(JSON.stringify(messagesOf(server, 0))).not.toContain('Always be brief.');
    expect(await bench.codelab(server, 'policy', 'trust', '--json')).toMatchObject({ code: 0 });
    await bench.codelab(server, 'run', 'What is in @a.txt?');
    const messages = messagesOf(server, 1);
    expect(messages[0]?.content).toContain('Always be brief.');
    expect(messages[1]?.content).toContain('<file path="a.txt">\none\n');
  });
});
