// `codelab` as a whole process in a separate workspace, with a model's server on loopback.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelAnswer, ModelServer } from './model-server.ts';

const launcher = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'codelab.js');

type Server = Pick<ModelServer, 'url'>;
type Ended = { code: number | null; stdout: string; stderr: string };

export type RunBench = Disposable & {
  workspace: string;
  start(server: Server, ...args: string[]): ChildProcess;
  codelab(server: Server, ...args: string[]): Promise<Ended>;
  /** The same with text on standard input; `isOpen` leaves the input open. */
  piped(server: Server, input: { text: string; isOpen?: true }, ...args: string[]): Promise<Ended>;
  textOf(path: string): string;
};

/** A workspace that holds `a.txt` with one line. */
export function runBench(): RunBench {
  const scratch = mkdtempSync(join(tmpdir(), 'codelab-run-'));
  const workspace = join(scratch, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  const spawnIt = (server: Server, stdin: 'ignore' | 'pipe', args: string[]): ChildProcess => {
    const ownEnv = {
      CODELAB_HOME: join(scratch, 'home'),
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'none',
    };
    return spawn(process.execPath, [launcher, ...args], {
      cwd: workspace,
      env: { ...process.env, ...ownEnv, CODELAB_MODEL: 'openai/test', NO_COLOR: '1' },
      stdio: [stdin, 'pipe', 'pipe'],
    });
  };
  return {
    workspace,
    start: (server, ...args) => spawnIt(server, 'ignore', args),
    codelab: async (server, ...args) => await toTheEnd(spawnIt(server, 'ignore', args)),
    async piped(server, { text, isOpen }, ...args) {
      const child = spawnIt(server, 'pipe', args);
      child.stdin?.on('error', () => undefined);
      if (isOpen) child.stdin?.write(text);
      else child.stdin?.end(text);
      return await toTheEnd(child);
    },
    textOf: (path) => readFileSync(join(workspace, path), 'utf8'),
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

export async function toTheEnd(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** Reads on until the text has come. */
export async function lineWith(child: ChildProcess, text: string): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.includes(text)) return;
  }
  throw new Error(`It ended without ${text}: ${output}`);
}

/** A reply that requests one call. */
export function callAnswer(name: string, args: Record<string, unknown>, id = 'call_1'): ModelAnswer {
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return answer({ role: 'assistant', tool_calls: [call] }, 'tool_calls');
}

export function textAnswer(content: string, reason = 'stop'): ModelAnswer {
  return answer({ role: 'assistant', content }, reason);
}

function answer(delta: object, reason: string): ModelAnswer {
  const chunk = (choices: object[], fields: object = {}): string =>
    `data: ${JSON.stringify({ choices, ...fields })}\n\n`;
  // A realistic request size: a server that counts far less is assumed to cut requests.
  const usage = { prompt_tokens: 10_000, completion_tokens: 5 };
  return {
    pieces: [
      chunk([{ index: 0, delta, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: reason }]),
      chunk([], { usage }),
      'data: [DONE]\n\n',
    ],
  };
}

type Message = { role: string; content: string };

/** The model's n-th request; the last one when it is negative. */
export function messagesOf(server: ModelServer, n: number): Message[] {
  return (server.requests.at(n)?.body.messages ?? []) as Message[];
}

export function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
