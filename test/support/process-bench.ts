// A workbench for commands: a human who approves, short grace periods, with or without a sandbox, and a list of remaining processes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits, Outcome } from '@codelab/protocol';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import type { Backend } from './sandbox-bench.ts';
import { scratchFolder } from './scratch-folder.ts';
import { approveAll, type Human, type Workbench, workbench } from './workbench.ts';

export type ProcessBench = AsyncDisposable & {
  bench: Workbench;
  root: string;
  home: string;
  folder: string;
  run(command: string, options?: Record<string, unknown>, signal?: AbortSignal): Promise<Outcome>;
  /** The pids of processes that belong to calls of any host of this home. */
  remaining(): number[];
};

type Options = {
  /** `off`, what the machine offers, or one of those that work here. */
  sandbox?: 'auto' | 'off' | Backend;
  limits?: Partial<Limits>;
  files?: Record<string, string>;
  human?: Human;
};

export async function processBench({
  sandbox = 'off',
  limits,
  files = {},
  human = approveAll,
}: Options = {}): Promise<ProcessBench> {
  const scratch = scratchFolder({ files });
  const { folder, home, root } = scratch;
  mkdirSync(home, { recursive: true });
  const isChosen = sandbox === 'auto' || sandbox === 'off';
  forceSandbox(isChosen ? undefined : sandbox);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ sandbox: isChosen ? sandbox : 'auto' }));
  const bench = await workbench({ folder, limits: { killGraceMs: 300, ...limits } });
  bench.human(human);
  const hostMarks = new Set<string>();
  const remaining = (): number[] => {
    for (const id of hostIds(home)) hostMarks.add(id);
    return markedProcesses([...hostMarks]);
  };
  remaining();
  return {
    bench,
    root,
    home,
    folder,
    async run(command, options = {}, signal) {
      const outcome = await bench.call('run_command', { command, ...options }, signal ? { signal } : {});
      remaining();
      return outcome;
    },
    remaining,
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      forceSandbox(undefined);
      scratch[Symbol.dispose]();
    },
  };
}

/** The marks of the hosts that have left word about themselves. */
export function hostIds(home: string): string[] {
  try {
    return readdirSync(join(home, 'processes'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
  } catch {
    return [];
  }
}

/** Every living process with one of these marks in its environment. */
export function markedProcesses(marks: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
        return marks.some((mark) => environment.includes(`CODELAB_CALL=${mark}.`));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The data of a command that ended. */
export function dataOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.data;
}
