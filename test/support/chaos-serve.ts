// `codelab serve` as a process on a stable port, to be killed: from outside, or by itself at a moment of its log.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { chaosEnv, preload } from './chaos-env.ts';
import type { Fault } from './chaos-fault.ts';
import { codelabProgram } from './codelab-program.ts';

export const chaosToken = 'a-long-token';

export type ChaosServe = AsyncDisposable & {
  url: string;
  child: ChildProcess;
  pid: number;
  /** Resolves when the process is gone, with the signal that ended it. */
  exited: Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
};

type Options = {
  folder: string;
  root: string;
  home: string;
  port: number;
  fault?: Fault | undefined;
  args?: readonly string[];
};

export async function chaosServe({
  folder,
  root,
  home,
  port,
  fault,
  args = [],
}: Options): Promise<ChaosServe> {
  const serve = ['serve', '--port', String(port), '--json', '--no-web', ...args];
  const words = ['--import', preload, codelabProgram, ...serve];
  const errors = openSync(join(folder, 'serve.log'), 'a');
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: {
      ...process.env,
      CODELAB_HOME: home,
      CODELAB_TOKEN: chaosToken,
      ...chaosEnv(fault),
    },
    stdio: ['ignore', 'pipe', errors],
  });
  closeSync(errors);
  const exited = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const ended = exited.then(() => Promise.reject(new Error('the gateway ended before it listened')));
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(child.stdout ?? child, 'data'), ended]);
  const { url, pid } = JSON.parse(String(line)) as { url: string; pid: number };
  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await exited;
  }
  return { url, pid, child, exited, kill, [Symbol.asyncDispose]: kill };
}
