// Runs command lines in the sandbox, with a workspace, a state folder and a user's home that are all temporary.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { confine, confinementOf } from '../../packages/runtime/src/sandbox/confine.ts';
import { scratchFolder } from './scratch-folder.ts';

type Ran = { status: number | null; stdout: string; stderr: string };

export type SandboxBench = ReturnType<typeof scratchFolder> & {
  /** The user's home. */
  user: string;
  sh(line: string, options?: { root?: string }): Ran;
};

/** Why there is no sandbox here; undefined when there is one. */
export const noSandbox: string | undefined = confinementOf(false).why;

export function sandboxBench(): SandboxBench {
  const scratch = scratchFolder({ files: { 'a.txt': 'a\n' } });
  const user = join(scratch.folder, 'user');
  mkdirSync(user);
  const realHome = process.env.HOME;
  process.env.HOME = user;
  return {
    ...scratch,
    user,
    sh(line, { root = scratch.root } = {}) {
      const held = { confinement: confinementOf(false), root, home: scratch.home, cwd: root };
      const [program = '', ...args] = confine(['/bin/sh', '-c', line], held);
      const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: user };
      return spawnSync(program, args, { encoding: 'utf8', env });
    },
    [Symbol.dispose]() {
      process.env.HOME = realHome;
      scratch[Symbol.dispose]();
    },
  };
}

export function plantFile(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
