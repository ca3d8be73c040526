// Programs that run beside calls, such as MCP and language servers: each in its own session with a short environment, and ended with all
// its descendants.
import { setTimeout as wait } from 'node:timers/promises';
import type { Stream } from './capture-output.ts';
import { childEnvironment, markerName } from './child-environment.ts';
import { createChildren } from './children.ts';
import { endFamily } from './family/family.ts';
import { type Child, type SpawnOrder, spawnChild } from './spawn-child.ts';

export type ChildProgram = Pick<Child, 'pid' | 'born' | 'stdin' | 'exited' | 'silent'> & {
  /** Closes the program's input; a program that keeps running gets SIGTERM, then SIGKILL. */
  end(): Promise<void>;
};

type ProgramOrder = Pick<SpawnOrder, 'argv' | 'cwd'> & {
  /** Added to the variables that every program gets. */
  env: Record<string, string>;
  /** Must copy what it keeps. */
  onBytes(stream: Stream, bytes: Buffer): void;
};

export type ChildPrograms = Disposable & { start(order: ProgramOrder): Promise<ChildProgram> };

const leaveMs = 500;
const graceMs = 1500;

export function createPrograms({ home, root }: { home: string; root: string }): ChildPrograms {
  const children = createChildren(home);

  async function end(child: Child, guard: Disposable): Promise<void> {
    child.stdin?.end();
    await Promise.race([child.exited, wait(leaveMs, undefined, { ref: false })]);
    await endFamily(child, { graceMs });
    child.close();
    guard[Symbol.dispose]();
  }

  return {
    async start({ argv, cwd, env, onBytes }) {
      const marker = children.newMarker();
      const child = await spawnChild({
        argv,
        cwd,
        env: { ...childEnvironment(root, marker), ...env, [markerName]: marker },
        marker,
        pipes: children.pipes,
        takesInput: true,
        onBytes(stream, bytes) {
          onBytes(stream, bytes);
          return true;
        },
      });
      // A failed write is not reported: the program's end shows it.
      child.stdin?.on('error', () => undefined);
      const guard = children.guard(child);
      const { pid, born, stdin, exited, silent } = child;
      return { pid, born, stdin, exited, silent, end: () => end(child, guard) };
    },
    [Symbol.dispose]: () => children[Symbol.dispose](),
  };
}
