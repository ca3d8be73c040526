// `codelab run` in scripts: what it reads, what it may use, and which session it goes on with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunLimits } from '../../apps/cli/src/run/run-limits.ts';
import { type ModelServer, modelServer } from '../support/model-server.ts';
import { callAnswer, messagesOf, type RunBench, runBench, textAnswer } from '../support/run-bench.ts';

let bench: RunBench;
beforeAll(() => {
  bench = runBench();
});
afterAll(() => bench[Symbol.dispose]());

const prompt = (server: ModelServer): string => messagesOf(server, -1).at(-1)?.content ?? '';
const toolsOf = (server: ModelServer): string[] =>
  ((server.requests[0]?.body.tools ?? []) as { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  );

describe('standard input', { timeout: 60_000 }, () => {
  test('is joined to the prompt, and never searched for @mentions', async () => {
    await using server = await modelServer([textAnswer('ok')]);
    const { code, stderr } = await bench.piped(server, { text: '+ see @a.txt\n' }, 'run', 'review');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(prompt(server)).toContain('review\n\n<file path="standard input">\n+ see @a.txt\n');
    expect(prompt(server)).not.toContain('one\n');
  });

  test('is the prompt when there is none, or when it is `-`', async () => {
    await using server = await modelServer([textAnswer('ok')]);
    await bench.piped(server, { text: 'say it\n' }, 'run');
    expect(prompt(server)).toContain('say it');
    await bench.piped(server, { text: 'say more\n' }, 'run', '-');
    expect(prompt(server)).toContain('say more');
    expect(await bench.codelab(server, 'run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no prompt.'),
    });
  });

  test('is cut when it is long, and standard error says so', async () => {
    await using server = await modelServer([textAnswer('ok')]);
    const text = `first${'x'.repeat(300_000)}last`;
    const { stderr } = await bench.piped(server, { text }, 'run', 'review');
    expect(stderr).toContain('has 300009 characters; the model sees the first and the last 100000');
    expect(prompt(server)).toMatch(/first[\s\S]*left out[\s\S]*last/);
  });

  test('that is not text is refused', async () => {
    await using server = await modelServer([textAnswer('ok')]);
    expect(await bench.piped(server, { text: 'a\0b' }, 'run', 'review')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not UTF-8 text'),
    });
    expect(server.requests).toEqual([]);
  });

  test('that nobody writes to or closes delays the turn, but does not stop it; `-` waits until --timeout', async () => {
    await using server = await modelServer([textAnswer('ok')]);
    const open = { text: '', isOpen: true } as const;
    const [outOfTime, timed] = await Promise.all([
      bench.piped(server, open, 'run', 'review'),
      bench.piped(server, open, 'run', 'review', '-', '--timeout', '500ms'),
    ]);
    expect(outOfTime).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('No standard input for'),
    });
    expect(timed).toMatchObject({ code: 124, stderr: expect.stringContaining('before the turn began') });
    expect(server.requests).toHaveLength(1);
  });
});

describe('options for scripts', { timeout: 60_000 }, () => {
  test('--continue goes on with the latest conversation here; without one it says so', async () => {
    using fresh = runBench();
    await using server = await modelServer([textAnswer('ok')]);
    expect(await fresh.codelab(server, 'run', 'x', '--continue')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no conversation to continue'),
    });
    await fresh.codelab(server, 'run', 'remember this');
    // A call by itself is no conversation.
    await fresh.codelab(server, 'tool', 'read_file', '{"path":"a.txt"}');
    await fresh.codelab(server, 'run', 'and now', '--continue');
    const userMessages = messagesOf(server, -1).filter(({ role }) => role === 'user');
    expect(userMessages.map(({ content }) => content)).toEqual(['remember this', 'and now']);
    expect(await fresh.codelab(server, 'run', 'x', '--continue', '--session', 'y')).toMatchObject({
      code: 2,
    });
  });

  test('--allowed-tools: others are neither offered nor run, in any role', async () => {
    await using server = await modelServer([
      callAnswer('write_file', { path: 'b.txt', content: 'x' }),
      callAnswer('task', { agent: 'general', objective: 'Write b.txt.' }, 'c2'),
      textAnswer('No.'),
    ]);
    const only = 'read_file,list_f*';
    const args = ['run', 'x', '--allowed-tools', only, '--approve', 'all', '--output', 'json'];
    const { stdout } = await bench.codelab(server, ...args);
    expect(new Set(toolsOf(server))).toEqual(new Set(['read_file', 'list_files']));
    expect(JSON.parse(stdout)).toMatchObject({
      calls: [
        { tool: 'write_file', code: 'TOOL_NOT_FOUND' },
        { tool: 'task', code: 'TOOL_NOT_FOUND' },
      ],
      changed_files: [],
    });
    expect(await bench.codelab(server, 'run', 'x', '--allowed-tools', 'read_fil')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean read_file?'),
    });
    expect(await bench.codelab(server, 'run', 'x', '--allowed-tools', ',')).toMatchObject({ code: 2 });
  });

  test('--system-append stands at the end of the role’s prompt', async () => {
    await using server = await modelServer([textAnswer('ok')]);
    await bench.codelab(server, 'run', 'x', '--system-append', 'Answer in French.');
    expect(messagesOf(server, 0)[0]?.content).toMatch(/[\s\S]+\n\nAnswer in French\./);
  });

  test('--image shows the model a file, by its bytes; what is no image is wrong usage', async () => {
    const pixel = Buffer.from('89504e470d0a1a0a0000', 'hex');
    writeFileSync(join(bench.workspace, 'shot.dat'), pixel);
    await using server = await modelServer([textAnswer('ok')]);
    await bench.codelab(server, 'run', 'look', '--image', 'shot.dat', '--image', 'shot.dat');
    const image_url = { url: `data:image/png;base64,${pixel.toString('base64')}` };
    expect(messagesOf(server, 0).at(-1)?.content).toEqual([
      { type: 'text', text: 'look' },
      ...[1, 2].map(() => expect.objectContaining({ type: 'image_url', image_url })),
    ]);
    for (const file of ['a.txt', 'missing.png'])
      expect(await bench.codelab(server, 'run', 'look', '--image', file)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--image:'),
      });
    expect(server.requests).toHaveLength(1);
  });

  test('--max-turns counts the replies of sub-agents, too', async () => {
    await using server = await modelServer([
      callAnswer('task', { agent: 'explore', objective: 'Look.' }, 'c1'),
      callAnswer('list_files', { path: '.' }, 'c2'),
      textAnswer('never asked for'),
    ]);
    const { code } = await bench.codelab(server, 'run', 'x', '--max-turns', '2');
    expect({ code, asked: server.requests.length }).toEqual({ code: 3, asked: 2 });
  });

  test.each([
    ['--max-turns', '0'],
    ['--max-turns', '1.5'],
    ['--max-cost', '-1'],
    ['--max-cost', 'cheap'],
    ['--timeout', '0s'],
    ['--timeout', '5d'],
  ])('%s %s is wrong usage', async (option, value) => {
    const { readHeadless } = await import('../../apps/cli/src/run/headless-options.ts');
    expect(() => readHeadless({ [option.slice(2)]: value })).toThrow(option);
  });

  test('--max-cost stops once it is reached, and where the price is not known', () => {
    const reply = (cost?: number) => ({
      type: 'reply' as const,
      reply: {
        model: 'openai/m',
        text: '',
        calls: [],
        usage: { inputTokens: 10, outputTokens: 1, ...(cost !== undefined && { cost }) },
        stop: 'end' as const,
      },
    });
    const priced = createRunLimits({ maxCost: 0.05 });
    priced.count(reply(0.03));
    expect(priced.stop()).toBeUndefined();
    priced.count(reply(0.03));
    expect(priced.stop()).toEqual({
      end: 'cost_limit',
      message: '--max-cost 0.05 was reached: $0.0600 used.',
    });
    const unpriced = createRunLimits({ maxCost: 0.05 });
    unpriced.count(reply());
    expect(unpriced.stop()).toMatchObject({
      end: 'cost_limit',
      message: expect.stringContaining('not known'),
    });
  });
});
