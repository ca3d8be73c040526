// Starts host-process.ts and waits until it has child processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export async function spawnHost(folder: string): Promise<{ pid: number; exited: Promise<unknown> }> {
  const script = join(import.meta.dirname, 'host-process.ts');
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('the host ended before it ran anything'))),
  ]);
  if (child.pid === undefined) throw new Error('no process');
  return { pid: child.pid, exited };
}
