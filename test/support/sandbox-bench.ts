// Runs command lines in the sandbox, with a workspace, a state folder and a user's home that are all temporary.
import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSandbox, forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { confine, confinementOf } from '../../packages/runtime/src/sandbox/confine.ts';
import { findHold, type SandboxHold } from '../../packages/runtime/src/sandbox/sandbox-hold.ts';
import { scratchVariables } from '../../packages/runtime/src/sandbox/scratch-variables.ts';
import { openSessionTmp } from '../../packages/runtime/src/sandbox/session-tmp.ts';
import { scratchFolder } from './scratch-folder.ts';

const tmpOptions = { mostBytes: 1024 ** 3, later: () => undefined };

type Ran = { status: number | null; stdout: string; stderr: string };

export type Backend = 'bubblewrap' | 'util-linux';

type Held = { root?: string; cwd?: string; session?: string } & Partial<SandboxHold>;

export type SandboxBench = ReturnType<typeof scratchFolder> & {
  /** The user's home. */
  user: string;
  /** As an approved command. */
  sh(line: string, options?: { root?: string; session?: string }): Ran;
  /** As an unasked command. */
  unasked(line: string, options?: Held): Promise<Ran>;
};

/** The backends that work on this machine. */
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
  const run = (
    line: string,
    { root, cwd, session, unasked }: { root: string; cwd: string; session: string; unasked?: SandboxHold },
  ): Ran => {
    const { home } = scratch;
    const confinement = confinementOf(false);
    const tmp = openSessionTmp({ home, session, root: realpathSync(root) }, tmpOptions);
    const command = { confinement, root, home, cwd, unasked, tmp };
    const [program = '', ...args] = confine(['/bin/sh', '-c', line], command);
    const scratchEnv = scratchVariables({ confinement, tmp, unasked: unasked && 'works' });
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: user, ...scratchEnv };
    return spawnSync(program, args, { encoding: 'utf8', env });
  };
  return {
    ...scratch,
    user,
    sh: (line, { root = scratch.root, session = 's1' } = {}) => run(line, { root, cwd: root, session }),
    async unasked(line, { root = scratch.root, cwd = root, session = 's1', ...options } = {}) {
      const hold = await findHold(root);
      if ('tooMany' in hold) throw new Error(hold.tooMany);
      const unasked = {
        isReadOnly: false,
        writesGit: false,
        shows: [],
        closed: [],
        mostTasks: 4096,
        ...hold,
        ...options,
      };
      return run(line, { root, cwd, session, unasked });
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
