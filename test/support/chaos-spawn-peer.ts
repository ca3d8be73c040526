// Starts chaos-peer.ts and waits until it is connected.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PeerOptions } from './chaos-peer.ts';

export type SpawnedPeer = AsyncDisposable & { pid: number; exited: Promise<NodeJS.Signals | null> };

export async function spawnPeer(options: PeerOptions): Promise<SpawnedPeer> {
  const script = join(import.meta.dirname, 'chaos-peer.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const refused = exited.then(() => Promise.reject(new Error('the peer was not let in')));
  await Promise.race([once(child.stdout, 'data'), refused]);
  refused.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
