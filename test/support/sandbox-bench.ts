// Runs command lines in the sandbox, with a workspace, a state folder and a user's home that are all temporary.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { confine, confinementOf } from '../../packages/runtime/src/sandbox/confine.ts';
import { findSandbox, forceSandbox } from '../../packages/runtime/src/sandbox/find-sandbox.ts';
import { findHold, type Unasked } from '../../packages/runtime/src/sandbox/unasked.ts';
import { scratchFolder } from './scratch-folder.ts';

type Ran = { status: number | null; stdout: string; stderr: string };

export type Backend = 'bubblewrap' | 'util-linux';

type Held = { root?: string; cwd?: string } & Partial<Unasked>;

export type SandboxBench = ReturnType<typeof scratchFolder> & {
  /** The user's home. */
  user: string;
  /** As a command that a person approved. */
  sh(line: string, options?: { root?: string }): Ran;
  /** As one that nobody was asked about. */
  unasked(line: string, held?: Held): Promise<Ran>;
};

/** Those that work here. */
export const backends: readonly Backend[] = (['bubblewrap', 'util-linux'] as const).filter((backend) => {
  forceSandbox(backend);
  const { sandbox } = findSandbox();
  forceSandbox(undefined);
  return sandbox === backend;
});

/** Why there is no sandbox here; undefined when there is one. */
export const noSandbox: string | undefined = confinementOf(false).why;

export function sandboxBench(backend?: Backend): SandboxBench {
  const scratch = scratchFolder({ files: { 'a.txt': 'a\n' } });
  const user = join(scratch.folder, 'user');
  mkdirSync(user);
  const realHome = process.env.HOME;
  process.env.HOME = user;
  forceSandbox(backend);
  const run = (line: string, root: string, cwd: string, unasked?: Unasked): Ran => {
    const held = { confinement: confinementOf(false), root, home: scratch.home, cwd, unasked };
    const [program = '', ...args] = confine(['/bin/sh', '-c', line], held);
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: user };
    return spawnSync(program, args, { encoding: 'utf8', env });
  };
  return {
    ...scratch,
    user,
    sh: (line, { root = scratch.root } = {}) => run(line, root, root),
    async unasked(line, { root = scratch.root, cwd = root, ...more } = {}) {
      const hold = await findHold(root);
      if ('tooMany' in hold) throw new Error(hold.tooMany);
      return run(line, root, cwd, {
        isReadOnly: false,
        writesGit: false,
        shows: [],
        closed: [],
        mostTasks: 4096,
        ...hold,
        ...more,
      });
    },
    [Symbol.dispose]() {
      forceSandbox(undefined);
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
