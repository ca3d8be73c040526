// The server of `npm start` as a separate process with its state in a temp folder; it can be killed and restarted.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch-folder.ts';

export type Sample = AsyncDisposable & {
  /** Includes the token. */
  url: string;
  /** The sample workspace's folder. */
  folder: string;
  /** Kills it at any moment, and restarts it on the same port. */
  killAndStart(): Promise<void>;
};

const program = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'codelab.js');

export async function serveSample(): Promise<Sample> {
  const scratch = scratchFolder();
  const first = await start(scratch, 0);
  let { child } = first;
  return {
    url: `${first.url}/?token=sample-token`,
    folder: join(scratch.folder, 'codelab-sample', 'hello-shop'),
    async killAndStart() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      ({ child } = await start(scratch, first.port));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      scratch[Symbol.dispose]();
    },
  };
}

type Started = { child: ChildProcess; url: string; port: number };

async function start({ home, folder }: { home: string; folder: string }, port: number): Promise<Started> {
  const { CODELAB_MODEL: _model, ANTHROPIC_API_KEY: _key, OPENAI_API_KEY: _other, ...env } = process.env;
  const ready = join(folder, 'ready.json');
  const args = ['serve', '--sample', '--port', String(port), '--log-level', 'error', '--ready-file', ready];
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env, CODELAB_HOME: home, CODELAB_TOKEN: 'sample-token' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The gateway prints its address when it is listening; the ready file is written by then.
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
  ]);
  const readyInfo = JSON.parse(readFileSync(ready, 'utf8')) as { url: string; port: number };
  return { child, url: readyInfo.url.replace(/\/?(\?.*)?$/, ''), port: readyInfo.port };
}
