// Runs calls in a process of their own: as another user, under a tracer or a limit. Returns the outcomes and how the process ended.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';

type Order = {
  folder: string;
  calls: readonly { tool: string; args: Record<string, unknown> }[];
  /** A program and its arguments to put in front of node. */
  wrapper?: readonly string[];
};

export const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] as const;
export const isRoot = process.getuid?.() === 0;

const script = join(import.meta.dirname, 'many-calls.ts');

export function callsInChild({ folder, calls, wrapper = [] }: Order): {
  outcomes: Outcome[];
  ended: SpawnSyncReturns<string>;
} {
  const order = JSON.stringify({ folder, calls: calls.map(({ tool, args }) => ({ tool, args })) });
  const [program = process.execPath, ...rest] = [...wrapper, process.execPath, script];
  const ended = spawnSync(program, rest, { input: order, encoding: 'utf8', timeout: 25_000 });
  const lines = ended.stdout.split('\n').filter((line) => line.startsWith('{'));
  return { outcomes: lines.map((line) => JSON.parse(line) as Outcome), ended };
}
