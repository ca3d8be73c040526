// The machine-readable output of `codelab run`, in real runs, against its own JSON Schemas; and the exit code for each reason.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StopReason, stopReasons } from '../../apps/cli/src/run/stop-reason.ts';
import { json, type ModelAnswer, modelServer } from '../support/model-server.ts';
import { callAnswer, linesOf, type RunBench, runBench, textAnswer, toTheEnd } from '../support/run-bench.ts';

let bench: RunBench;
let line: ValidateFunction;
let isResult: ValidateFunction;

beforeAll(async () => {
  bench = runBench();
  const compile = async (form: string): Promise<ValidateFunction> => {
    const { stdout } = await bench.codelab({ url: '' }, 'run', '--print-schema', form);
    return new Ajv2020({ strict: false }).compile(JSON.parse(stdout) as object);
  };
  line = await compile('stream-json');
  isResult = await compile('json');
});
afterAll(() => bench[Symbol.dispose]());

type Line = Record<string, unknown>;

/** Every line fits the schema, the session comes first and the result last. */
function checked(stdout: string): { lines: Line[]; result: Line } {
  const lines = linesOf(stdout);
  const wrong = lines.filter((outputLine) => !line(outputLine));
  expect(wrong).toEqual([]);
  expect(lines[0]).toMatchObject({ type: 'session', session: expect.any(String) });
  const result = lines.at(-1) ?? {};
  expect(result).toMatchObject({ type: 'result', session: lines[0]?.session });
  expect(lines.filter(({ type }) => type === 'session' || type === 'result')).toHaveLength(2);
  return { lines, result };
}

type Case = { reason: StopReason; answers: ModelAnswer[]; args: string[]; text?: string };

const write = callAnswer('write_file', { path: 'new.txt', content: 'x\n' });
const number = '{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}';

const cases: Case[] = [
  { reason: 'completed', answers: [textAnswer('Done.')], args: [], text: 'Done.' },
  { reason: 'call_refused', answers: [write, textAnswer('No.')], args: ['--approve', 'never'], text: 'No.' },
  { reason: 'failed', answers: [json({ error: { message: 'Wrong key.' } }, 401)], args: [] },
  { reason: 'max_turns', answers: [callAnswer('list_files', { path: '.' })], args: ['--max-turns', '2'] },
  { reason: 'max_cost', answers: [callAnswer('list_files', { path: '.' })], args: ['--max-cost', '0.01'] },
  { reason: 'loop_detected', answers: [callAnswer('read_file', { path: 'a.txt' })], args: [] },
  { reason: 'cut_off', answers: [textAnswer('and so on', 'length')], args: [] },
  { reason: 'empty', answers: [textAnswer('')], args: [] },
  { reason: 'refused', answers: [textAnswer('I', 'content_filter')], args: [], text: 'I' },
  {
    reason: 'invalid_output',
    answers: [textAnswer('It is 1.'), textAnswer('{"n":"1"}')],
    args: ['--output-schema', number],
    text: '{"n":"1"}',
  },
  { reason: 'timeout', answers: [{ pieces: [], after: 'hang' }], args: ['--timeout', '700ms'] },
];

describe('codelab run for programs', { timeout: 60_000 }, () => {
  test.each(cases)(
    'ends with the reason $reason and its exit code',
    async ({ reason, answers, args, text }) => {
      await using server = await modelServer(answers);
      const { code, stdout } = await bench.codelab(server, 'run', 'go', '--output', 'stream-json', ...args);
      const { result } = checked(stdout);
      const { exitCode } = stopReasons[reason];
      expect(result).toMatchObject({ stop_reason: reason, exit_code: exitCode, model: 'openai/test' });
      expect(code).toBe(exitCode);
      if (text !== undefined) expect(result.text).toBe(text);
      expect('message' in result).toBe(!['completed', 'call_refused'].includes(reason));
    },
  );

  test('Ctrl-C ends it as interrupted, with a result', async () => {
    await using server = await modelServer([{ pieces: [], after: 'hang' }]);
    const child = bench.start(server, 'run', 'go', '--output', 'stream-json');
    let stdout = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      // A second one would end it at once.
      if (!child.killed && stdout.includes('"thinking"')) child.kill('SIGINT');
    });
    expect((await toTheEnd(child)).code).toBe(130);
    expect(checked(stdout).result).toMatchObject({ stop_reason: 'interrupted', end: 'cancelled' });
  });

  test('calls, an approval, a sub-agent, usage and changed files are told', async () => {
    const task = callAnswer('task', { agent: 'explore', objective: 'Look around.' }, 'c3');
    await using server = await modelServer([
      callAnswer('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }, 'c1'),
      callAnswer('write_file', { path: 'made.txt', content: 'x\n' }, 'c2'),
      task,
      callAnswer('read_file', { path: 'a.txt' }, 'c4'),
      textAnswer('It says two.'),
      callAnswer('delete_file', { path: 'made.txt' }, 'c5'),
      textAnswer('All done.'),
    ]);
    const run = ['run', 'go', '--output', 'stream-json', '--approve', 'all'];
    const { code, stdout } = await bench.codelab(server, ...run);
    const { lines, result } = checked(stdout);
    expect(code).toBe(0);
    expect(result).toMatchObject({
      text: 'All done.',
      usage: { input_tokens: 70_000, output_tokens: 35, cached_tokens: 0 },
      cost_usd: null,
      changed_files: [{ path: 'a.txt', change: 'modified' }],
    });
    const calls = (result.calls ?? []) as { tool: string; status: string }[];
    expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual(
      ['edit_file', 'write_file', 'read_file', 'task', 'delete_file'].map((tool) => `${tool} completed`),
    );
    const types = new Set(lines.map(({ type }) => type));
    for (const type of ['approval.requested', 'approval.decided', 'call.started', 'turn.ended', 'text'])
      expect(types).toContain(type);
    expect(lines.filter(({ type, agent }) => type === 'turn.started' && agent !== undefined)).toHaveLength(1);
  });

  test('json is the last line of stream-json alone', async () => {
    await using server = await modelServer([write, textAnswer('No.')]);
    const { code, stdout } = await bench.codelab(server, 'run', 'go', '--output', 'json');
    const result: unknown = JSON.parse(stdout);
    expect(isResult(result)).toBe(true);
    expect(result).toMatchObject({ stop_reason: 'call_refused', refused: 1, changed_files: [] });
    expect(code).toBe(1);
  });

  test('a turn that can’t begin has a result, too', async () => {
    const nowhere = { url: 'http://127.0.0.1:9' };
    const args = ['run', 'go', '--output', 'stream-json'];
    const unknown = await bench.codelab(nowhere, ...args, '--profile', 'king');
    expect(checked(unknown.stdout).result).toMatchObject({ stop_reason: 'failed', turn: 0 });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('king') });
    const wrong = await bench.codelab(nowhere, ...args, '--model', 'nobody/knows');
    expect(checked(wrong.stdout).result).toMatchObject({ stop_reason: 'usage', exit_code: 2 });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody') });
  });

  test('an answer that matches --output-schema is given as a value, on the second try as well', async () => {
    await using server = await modelServer([textAnswer('It is 1.'), textAnswer('```json\n{"n": 1}\n```')]);
    const args = ['run', 'count', '--output-schema', number];
    const { code, stdout } = await bench.codelab(server, ...args, '--output', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stop_reason: 'completed', output: { n: 1 }, turn: 2 });
    const messages = (server.requests[1]?.body.messages ?? []) as { role: string; content: string }[];
    expect(messages[0]?.content).toContain(number);
    expect(messages.at(-1)?.content).toMatch(/does not match.*not JSON/);
    const text = await bench.codelab(server, ...args);
    expect(text).toMatchObject({ code: 0, stdout: '{"n":1}\n' });
  });

  test('a schema that can’t be used is wrong usage, and nothing is asked', async () => {
    await using server = await modelServer([textAnswer('x')]);
    for (const schema of ['missing.json', '{"type":"nothing"}', '{"a":'])
      expect(await bench.codelab(server, 'run', 'x', '--output-schema', schema)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('--output-schema'),
      });
    expect(server.requests).toEqual([]);
  });

  test('the exit codes that scripts know stay', () => {
    const { completed, failed, call_refused, usage, interrupted } = stopReasons;
    const known = [completed, failed, call_refused, usage, interrupted];
    expect(known.map(({ exitCode }) => exitCode)).toEqual([0, 1, 1, 2, 130]);
    const others = Object.values(stopReasons).map(({ exitCode }) => exitCode);
    expect(new Set(others.filter((code) => code !== 1)).size).toBe(
      others.filter((code) => code !== 1).length,
    );
  });
});
