// Runs one call in a process of its own: as another user, under a tracer or a limit. Returns its outcome and how the process ended.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';

type Order = {
  folder: string;
  tool: string;
  args: Record<string, unknown>;
  id?: string;
  /** Programs and arguments to put in front of node. */
  wrapper?: readonly string[];
};

export const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] as const;
export const isRoot = process.getuid?.() === 0;

const script = join(import.meta.dirname, 'one-call.ts');

export function callInChild({ folder, tool, args, id = 'call_1', wrapper = [] }: Order): {
  outcome: Outcome | undefined;
  ended: SpawnSyncReturns<string>;
} {
  const order = JSON.stringify({ folder, call: { id, tool, args } });
  const [program = process.execPath, ...rest] = [...wrapper, process.execPath, script, order];
  const ended = spawnSync(program, rest, { encoding: 'utf8', timeout: 25_000 });
  const line = ended.stdout?.split('\n').find((text) => text.startsWith('{'));
  return { outcome: line === undefined ? undefined : (JSON.parse(line) as Outcome), ended };
}
