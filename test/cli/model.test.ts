// `codelab model` as a whole process against a provider on loopback: a model is chosen, kept and tried; keys stay out of sight.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Asked,
  json,
  type ModelAnswer,
  type ModelServer,
  modelServer,
} from '../support/model-server.ts';
import { callAnswer, textAnswer } from '../support/run-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
const key = 'sk-right-0123456789';
const wrong = 'sk-wrong-0123456789';
// The port is closed, so that no server on the machine that runs the tests is used.
const closed = 'http://127.0.0.1:9';

let server: ModelServer;
let scratch: ReturnType<typeof scratchFolder>;
beforeAll(async () => {
  server = await modelServer(provider);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  scratch = scratchFolder();
});

/** Speaks as OpenAI does: a list, a wrong key, an unknown model, a tool that is called when there is one. */
function provider({ path, headers, body }: Asked): ModelAnswer {
  if (headers.authorization !== `Bearer ${key}`)
    return json({ error: { message: `Incorrect API key provided: ${headers.authorization}` } }, 401);
  if (path.endsWith('/models'))
    return json({ data: [{ id: 'mini', context_length: 8192 }, { id: 'large' }, { id: 'embed-1' }] });
  if (body.model === 'talker') return textAnswer('I am ready.');
  if (body.model !== 'mini' && body.model !== 'large')
    return json({ error: { message: 'The model does not exist', code: 'model_not_found' } }, 404);
  const { tools = [] } = body as { tools?: { function: { name: string } }[] };
  const isTest = tools.length === 1 && tools[0]?.function.name === 'report_word';
  return isTest ? reports() : textAnswer('Hello from the model.');
}

/** In several pieces: a sentence, then the call. */
function reports(): ModelAnswer {
  const words = ['I will ', 'report the word ', 'that you gave.'].map(
    (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
  );
  return { pieces: [...words, ...callAnswer('report_word', { word: 'ready' }).pieces] };
}

type Ended = { code: number | null; out: string; err: string };

async function codelab(
  args: string[],
  { input = '', env = {} as Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: scratch.root,
    // Without a terminal of its own, as in a script.
    detached: true,
    env: { ...base(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  await once(child, 'close');
  expect(`${out}${err}`).not.toMatch(/sk-(right|wrong)/);
  return { code: child.exitCode, out, err };
}

function base(): Record<string, string> {
  const local = Object.fromEntries(
    ['OLLAMA_HOST', 'LMSTUDIO_BASE_URL', 'LLAMACPP_BASE_URL', 'VLLM_BASE_URL'].map((name) => [name, closed]),
  );
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...local, CODELAB_HOME: scratch.home, NO_COLOR: '1' };
}

const addAcme = (...extraArgs: string[]): Promise<Ended> =>
  codelab(['model', 'add', 'acme', '--base-url', `${server.url}/v1`, '--key-file', '-', ...extraArgs], {
    input: `${key}\n`,
  });

const config = (): string => readFileSync(join(scratch.home, 'config.json'), 'utf8');

describe('without a model', { timeout: 60_000 }, () => {
  test.each([
    ['nothing is set', {}],
    [
      'a server is named, but none of its models',
      { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: key },
    ],
  ])('a turn is wrong usage and says how to choose one: %s', async (_why, env) => {
    const { code, out, err } = await codelab(['run', 'fix the shop'], { env });
    expect([code, out]).toEqual([2, '']);
    for (const command of ['codelab model use', 'codelab model add', '--model', 'CODELAB_MODEL'])
      expect(err).toContain(command);
    expect((await codelab([], { env, input: 'hello\n' })).code).toBe(2);
  });

  test('a misspelled one is wrong usage and says what was meant; the demo plays when it is named', async () => {
    const near = await codelab(['run', 'hi', '--model', 'opnai/gpt-5']);
    expect(near).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean `openai/gpt-5`?') });
    expect(await codelab(['run', 'help', '--model', 'demo'])).toMatchObject({ code: 0 });
  });
});

describe('a provider of one’s own', { timeout: 60_000 }, () => {
  test('is added with a key that nobody sees, chosen, kept, tried, used and removed', async () => {
    mkdirSync(scratch.home, { recursive: true });
    writeFileSync(join(scratch.home, 'config.json'), '{\n  // mine\n  "limits": { "parallel": 3 }\n}\n');
    const added = await addAcme('--context-window', '8192', '--price', '0.5/1.5');
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining('acme answers and has 2 models') });
    const keys = join(scratch.home, 'keys.json');
    expect([statSync(keys).mode & 0o777, readFileSync(keys, 'utf8').includes(key)]).toEqual([0o600, true]);
    expect(config()).not.toContain(key);

    const typo = await codelab(['model', 'use', 'acme/mnii']);
    expect(typo).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean `acme/mini`?') });
    expect(await codelab(['model', 'use', 'acme/mini'])).toMatchObject({ code: 0 });
    expect(config()).toContain('// mine');
    expect(JSON.parse(config().replace('// mine', ''))).toEqual({
      limits: { parallel: 3 },
      providers: {
        acme: { base_url: `${server.url}/v1`, context_window: 8192, price: { input: 0.5, output: 1.5 } },
      },
      model: 'acme/mini',
    });

    const listing = JSON.parse((await codelab(['model', 'list', '--json'])).out);
    expect(listing.current).toBe('acme/mini');
    expect(listing.providers.find(({ name }: { name: string }) => name === 'acme').models).toEqual([
      { name: 'acme/mini', context_window: 8192 },
      { name: 'acme/large', context_window: null },
    ]);
    const tried = JSON.parse((await codelab(['model', 'test', '--json'])).out);
    expect(tried).toMatchObject({
      ok: true,
      reached: true,
      key_accepted: true,
      streamed: true,
      tool_called: true,
      context_window: 8192,
    });
    const ran = await codelab(['run', 'hello', '--output', 'json']);
    expect(JSON.parse(ran.out)).toMatchObject({ model: 'acme/mini' });
    expect(await codelab(['run', 'hello', '--model', 'acme/large'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Hello from the model.'),
    });

    expect(await codelab(['model', 'remove', 'acme'])).toMatchObject({ code: 0 });
    expect(readFileSync(keys, 'utf8')).not.toContain(key);
    expect(config()).not.toContain('acme');
    expect((await codelab(['run', 'hello'])).code).toBe(2);
    expect((await codelab(['model', 'remove', 'acme'])).code).toBe(1);
    // The record of the sessions does not have the key either.
    for (const file of readdirSync(scratch.home).filter((name) => name.startsWith('sessions.db')))
      expect(readFileSync(join(scratch.home, file)).includes(key)).toBe(false);
  });

  test('a wrong key, a server that is not there and an unknown model are each told with what to do, and not kept', async () => {
    const bad = ['model', 'add', 'acme', '--base-url', `${server.url}/v1`, '--key-file', '-'];
    const refused = await codelab(bad, { input: wrong });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/answered 401.*\[key\].*Check the key of acme/),
    });
    const unreachable = await codelab(['model', 'add', 'acme', '--base-url', `${closed}/v1`, '--no-key']);
    expect(unreachable).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Nothing is listening at.*correct the address of acme/),
    });
    expect(existsSync(join(scratch.home, 'keys.json'))).toBe(false);
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: key };
    expect(await codelab(['model', 'test', 'openai/mnii'], { env })).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✔ +server reached\n.*✔ +key accepted\n.*✖ +answers[\s\S]*Did you mean `openai\/mini`\?/,
      ),
    });
    expect(
      await codelab(['model', 'test', 'openai/mini'], { env: { ...env, OPENAI_API_KEY: wrong } }),
    ).toMatchObject({
      code: 1,
      out: expect.stringMatching(/✖ +key accepted[\s\S]*Check OPENAI_API_KEY/),
    });
    const ran = await codelab(['run', 'hi', '--model', 'openai/mnii'], { env });
    expect([ran.code, `${ran.out}${ran.err}`]).toEqual([
      1,
      expect.stringContaining('Did you mean `openai/mini`?'),
    ]);
    expect(await codelab(['model', 'test', 'openai/talker'], { env })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/✔ +answers[\s\S]*✖ +calls a tool/),
    });
  });

  test('what can’t be a provider, a price or an address is wrong usage; a key is no argument', async () => {
    for (const [args, message] of [
      [['model', 'add', 'opnai'], 'Did you mean openai?'],
      [['model', 'add', 'Acme!', '--base-url', closed], 'lower-case letters'],
      [['model', 'add', 'acme', '--base-url', 'http://me:pw@x/'], 'without a user name or password'],
      [['model', 'add', 'acme', '--base-url', closed, '--price', 'cheap'], '--price takes two numbers'],
      [['model', 'add', 'openai', '--key', 'sk-x'], 'key'],
      [['model', 'add', 'openai'], '--key-file'],
    ] as const)
      expect(await codelab([...args])).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

describe.runIf(hasTmux)('at a terminal', { timeout: 60_000 }, () => {
  test('the first start offers what runs here, keeps the choice, and /model changes it', async () => {
    await using ollama = await modelServer(({ path }) =>
      path.endsWith('/models') ? json({ data: [{ id: 'tiny' }, { id: 'huge' }] }) : textAnswer('Hello.'),
    );
    using terminal = openTerminal(scratch.home, 100, 30);
    const env = {
      ...base(),
      OLLAMA_HOST: ollama.url,
      GROQ_API_KEY: wrong,
      GROQ_BASE_URL: `${server.url}/v1`,
    };
    terminal.run(`cd ${scratch.root} && ${process.execPath} ${launcher}; sleep 60`, env);
    await terminal.see('How should agents work');
    terminal.press('a', 'Enter');
    await terminal.see('ollama/huge');
    const screen = terminal.screen();
    expect(screen).toContain('Which model should CodeLab use?');
    expect(screen).toContain('  Groq answered 401');
    expect(screen).toContain('Connect a provider…');
    expect(screen).not.toContain(wrong);
    terminal.press('Enter');
    await terminal.see('· ollama/tiny ·');
    expect(JSON.parse(config())).toEqual({ model: 'ollama/tiny' });
    terminal.press('/model', 'Enter');
    await terminal.see('❯ ollama/tiny');
    terminal.press('huge', 'Enter');
    await terminal.see('The model is now ollama/huge, saved as the default.');
    expect(JSON.parse(config())).toEqual({ model: 'ollama/huge' });
  });
});
