// The law of the window: whatever the history, the next request fits, and long work in a small window loses nothing that counts.
import { type ModelRequest, runTurn } from '@codelab/agent';
import { openTurn } from '@codelab/server/agent';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Counting, countingModel } from '../support/counting-model.ts';
import { folderWith } from '../support/folder-with.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const scripts = {
  log: 'error: something 12:04:55 failed in /home/me/work/a.ts:120\n',
  code: '  const found = await readPage(file, { first: 1, count: 20 });\n',
  chinese: '这是一个很长的中文文本，用来测试窗口。请不要修改遗留代码。',
  base64: 'TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24s+/9Qx7Zk',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e\n',
  emoji: '😀🎉🚀👩‍💻✨🔥',
  cyrillic: 'Это длинный русский текст, который проверяет окно модели. ',
};
type Script = keyof typeof scripts;

function textOf(script: Script, chars: number): string {
  return scripts[script].repeat(Math.ceil(chars / scripts[script].length)).slice(0, chars);
}

const script = fc.constantFrom(...(Object.keys(scripts) as Script[]));
const size = fc.constantFrom(50, 3000, 40_000, 400_000);

/** The content of a turn: a paste, files read together, or a long reply of the model. */
const turn = fc.oneof(
  fc.record({ kind: fc.constant('paste' as const), script, size }),
  fc.record({ kind: fc.constant('reads' as const), files: fc.array(script, { minLength: 1, maxLength: 8 }) }),
  fc.record({ kind: fc.constant('reply' as const), script, size: fc.constantFrom(50, 30_000) }),
);

type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

const files = Object.fromEntries(
  (Object.keys(scripts) as Script[]).map((script) => [`${script}.txt`, textOf(script, 60_000)]),
);
let bench: Workbench;

beforeAll(async () => {
  bench = await workbench({ files: { ...files, 'huge.txt': textOf('base64', 9_900_000) }, mode: 'trusted' });
  folderWith(bench.home, {
    'agents/small.md': '---\nmode: primary\ntools: [read_file, todowrite]\nsteps: 220\n---\nYou work.\n',
  });
});
afterAll(() => bench[Symbol.asyncDispose]());

async function open(session: string, model: Counting, profile?: string) {
  const turn = await openTurn({
    ...{ host: bench.host, agents: bench.agents, session, emit: () => undefined },
    ...(profile && { profile }),
    openModel: async () => model,
  });
  return {
    ...turn,
    say: (text: string) => runTurn(turn.agent, turn.talk, { text }, new AbortController().signal),
  };
}

let sessions = 0;

/** Plays the turns with a model that takes anything, then goes on with one that does not. */
async function goOn(
  turns: readonly Turn[],
  { window, isTold, isCounted }: { window: number; isTold: boolean; isCounted: boolean },
): Promise<Counting> {
  const session = `law-${++sessions}`;
  let calls = 0;
  let next: { text?: string; files?: readonly string[] } = {};
  const answer = (): ReturnType<Parameters<typeof countingModel>[0]['answer']> => {
    const { text = 'Done.', files: read = [] } = next;
    next = {};
    return { text, calls: read.map((path) => ({ id: `c${++calls}`, tool: 'read_file', args: { path } })) };
  };
  const any = countingModel({
    window: 1e9,
    believed: 1e9,
    isTold: false,
    isCounted: false,
    answer: () => answer(),
  });
  any.stream = unlimited(any, answer);
  const before = await open(session, any);
  for (const step of turns) {
    if (step.kind === 'reads') next = { files: step.files.map((name) => `${name}.txt`) };
    if (step.kind === 'reply') next = { text: textOf(step.script, step.size) };
    await before.say(step.kind === 'paste' ? textOf(step.script, step.size) : 'Go on.');
  }
  const model = countingModel({
    window,
    believed: 128_000,
    isTold,
    isCounted,
    answer: () => ({ text: 'Fits.' }),
  });
  const { say } = await open(session, model);
  for (const text of ['And now?', 'And then?']) expect(await say(text)).toMatchObject({ end: 'completed' });
  return model;
}

function unlimited(
  model: Counting,
  answer: () => { text?: string; calls?: never[] | object[] },
): Counting['stream'] {
  return async function* (request: ModelRequest) {
    model.last = request;
    const { text = '', calls = [] } = answer();
    const usage = { inputTokens: 0, outputTokens: 0 };
    const reply = { model: 'any', text, calls: calls as never[], usage };
    yield { type: 'reply', reply: { ...reply, stop: calls.length > 0 ? 'calls' : 'end' } };
  };
}

describe('for any history and any window', () => {
  test('the next request fits within three tries', async () => {
    let highest = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(8192, 10_000, 16_384, 32_768, 65_536, 200_000),
        fc.boolean(),
        fc.boolean(),
        async (turns, window, isTold, isCounted) => {
          const { refused } = await goOn(turns, { window, isTold, isCounted });
          highest = Math.max(highest, refused);
          expect(refused).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 5 },
    );
    process.stdout.write(`refused at most ${highest} times before a request fitted\n`);
  }, 60_000);

  test('10 MB of output and a paste of 10 MB fit as well', async () => {
    const session = 'huge';
    const model = countingModel({
      ...{ window: 8192, believed: 128_000, isTold: false, isCounted: true },
      answer: ({ messages }) =>
        messages.at(-1)?.role === 'user' && model.taken.length === 1
          ? { calls: [{ id: 'h1', tool: 'read_file', args: { path: 'huge.txt' } }] }
          : { text: 'Done.' },
    });
    const { say } = await open(session, model);
    expect(await say(textOf('chinese', 10_000_000))).toMatchObject({ end: 'completed' });
    expect(model.refused).toBeLessThanOrEqual(2);
  });
});

describe('200 steps', () => {
  const requirements = Array.from({ length: 20 }, (_, at) => `R${at}: never touch legacy/${at}.`);
  const todos = ['read all', 'write the report', 'run the tests'];

  test.each([4096, 8192, 32_768, 200_000])('in a window of %i', async (window) => {
    let step = 0;
    let summaries = 0;
    const model = countingModel({
      ...{ window, believed: window, isTold: true, isCounted: true },
      answer({ messages }) {
        const last = messages.at(-1);
        if (last?.role === 'user' && last.text.includes('notes an engineer needs')) {
          summaries++;
          return { text: 'Notes: much was read.' };
        }
        step++;
        if (step > 200) return { text: 'Done.' };
        const items = todos.map((content, at) => ({
          id: `${at}`,
          content,
          status: 'pending',
          priority: 'high',
        }));
        const names = Object.keys(files);
        const read = { path: names[step % names.length], start_line: step, max_lines: 40 };
        const [tool, args] = step === 3 ? ['todowrite', { todos: items }] : ['read_file', read];
        return { text: `Step ${step}.`, calls: [{ id: `s${window}-${step}`, tool: tool as string, args }] };
      },
    });
    const { say } = await open(`steps-${window}`, model, 'small');
    expect(await say(`Do this. ${requirements.join(' ')}`)).toMatchObject({ end: 'completed' });
    const last = JSON.stringify(model.last?.messages);
    const keptCount = requirements.filter((requirement) => last.includes(requirement)).length;
    const listedCount = todos.filter((todo) => last.includes(todo)).length;
    process.stdout.write(
      `window ${window}: ${step} steps, largest request ${Math.max(...model.taken)}, refused ${model.refused}, summaries ${summaries}, requirements ${keptCount}/20, todos ${listedCount}/3\n`,
    );
    expect({ refused: model.refused, kept: keptCount, listed: listedCount }).toEqual({
      refused: 0,
      kept: 20,
      listed: 3,
    });
    expect(summaries).toBeLessThanOrEqual(200 / 20);
  });
});

test('changed files, the last failure and what people decided survive a summary', async () => {
  let step = 0;
  const model = countingModel({
    ...{ window: 16_384, believed: 16_384, isTold: true, isCounted: true },
    answer: () => {
      step++;
      const id = `f${step}`;
      if (step === 1) return { calls: [{ id, tool: 'write_file', args: { path: 'new.txt', content: 'x' } }] };
      if (step === 2) return { calls: [{ id, tool: 'read_file', args: { path: 'missing.txt' } }] };
      if (step === 3) return { calls: [{ id, tool: 'write_file', args: { path: '.envrc', content: 'x' } }] };
      if (step > 40) return { text: 'Done.' };
      return {
        calls: [{ id, tool: 'read_file', args: { path: 'code.txt', start_line: step, max_lines: 300 } }],
      };
    },
  });
  bench.human(
    ({ args }) =>
      args.path === '.envrc' ? { kind: 'reject', feedback: 'That one is ours.' } : { kind: 'approve' },
    'facts',
  );
  const { say } = await open('facts', model);
  expect(await say('Work.')).toMatchObject({ end: 'completed' });
  const summary = JSON.stringify(model.last?.messages[0]);
  expect(summary).toContain('new.txt: created, 1 bytes');
  expect(summary).toMatch(/read_file \{[^}]*missing\.txt[^}]*\}: FILE_NOT_FOUND/);
  expect(summary).toMatch(/write_file \{[^}]*envrc[^}]*\}: rejected: [^-]*That one is ours\./);
});
