// Runs calls in a separate process: as another user, under a tracer or a limit. Returns the outcomes and the process's exit.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { buildSync } from 'esbuild';

type Order = {
  folder: string;
  calls: readonly { tool: string; args: Record<string, unknown> }[];
  /** A program and its arguments to put in front of node. */
  wrapper?: readonly string[];
  env?: NodeJS.ProcessEnv;
};

export const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] as const;
export const isRoot = process.getuid?.() === 0;

let script: string | undefined;

// One file starts four times as fast as the sources; any user may read it.
function bundle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-calls-'));
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'many-calls.mjs');
  const entry = join(import.meta.dirname, 'many-calls.ts');
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outfile,
  });
  return outfile;
}

export function callsInChild({ folder, calls, wrapper = [], env = {} }: Order): {
  outcomes: Outcome[];
  ended: SpawnSyncReturns<string>;
} {
  script ??= bundle();
  const order = JSON.stringify({ folder, calls: calls.map(({ tool, args }) => ({ tool, args })) });
  const [program = process.execPath, ...rest] = [...wrapper, process.execPath, script];
  const ended = spawnSync(program, rest, {
    input: order,
    encoding: 'utf8',
    timeout: 25_000,
    env: { ...process.env, ...env },
  });
  const lines = (ended.stdout ?? '').split('\n').filter((line) => line.startsWith('{'));
  if (lines.length === 0) throw new Error(`The child did nothing: ${ended.error?.message ?? ended.stderr}`);
  return { outcomes: lines.map((line) => JSON.parse(line) as Outcome), ended };
}
