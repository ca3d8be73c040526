// An undo or redo that is killed in the middle: the next start completes it or not, and redo and undo know exactly what it did.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '@codelab/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { type CrashBench, crashBench, hasStrace } from '../support/crash-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

let program: CrashBench | undefined;
beforeAll(() => {
  if (hasStrace) program = crashBench();
});
afterAll(() => program?.[Symbol.dispose]());

type Kill = { tool: 'undo' | 'redo'; args?: Record<string, unknown>; nth: number };

/** Killed on its n-th rename. */
function kill({ folder }: { folder: string }, { tool, args = {}, nth }: Kill): void {
  const { script = '', env } = program ?? {};
  const order = JSON.stringify({ folder, call: { id: 'it', tool, args } });
  const inject = ['-e', 'trace=rename', '-e', `inject=rename:signal=KILL:when=${nth}`];
  const traced = ['-f', '-o', '/dev/null', ...inject, process.execPath, script, order];
  spawnSync('strace', traced, { stdio: 'ignore', env });
}

/** Another process has used the ids of the bench. */
function callsWith(bench: Workbench): (tool: string, args?: Record<string, unknown>) => Promise<Outcome> {
  bench.human(approveAll);
  let count = 0;
  return (tool, args = {}) => bench.call(tool, args, { id: `after_${++count}` });
}

/** Without the number of names: what an unfinished set was to replace may have one in the quarantine. */
function contents(root: string): Record<string, string> {
  const entries = Object.entries(treeState(root));
  return Object.fromEntries(entries.map(([path, state]) => [path, state.replace(/×\d+/, '')]));
}

const points = [1, 2, 3, 4, 5, 6];

describe.skipIf(!hasStrace)('killed', { timeout: 120_000 }, () => {
  test.each(points)('what a forced undo overwrote comes back, at rename %i', async (nth) => {
    using scratch = scratchFolder({ files: { a: 'orig\n', b: 'orig\n' } });
    const original = contents(scratch.root);
    {
      await using bench = commandBench(scratch);
      await bench.sh('echo new > a; echo new > b; echo new > n1');
    }
    writeFileSync(join(scratch.root, 'a'), 'user\n');
    const before = contents(scratch.root);
    kill(scratch, { tool: 'undo', args: { force: true }, nth });
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    const call = callsWith(bench);
    const isBegun = !isDeepStrictEqual(contents(scratch.root), before);
    expect((await call('redo')).status).toBe(isBegun ? 'completed' : 'failed');
    expect(contents(scratch.root)).toEqual(before);
    expect(await call('undo', { force: true })).toMatchObject({ data: { refused: [] } });
    expect(contents(scratch.root)).toEqual(original);
  });

  test.each(points)('an undo of several calls is redone, or completed, at rename %i', async (nth) => {
    using scratch = scratchFolder({ files: { 'a.txt': '0\n', 'b.txt': '0\n' } });
    const { folder, root } = scratch;
    const original = contents(root);
    {
      await using bench = await workbench({ folder, mode: 'trusted' });
      for (const [path, content] of steps) await bench.call('write_file', { path, content }, { turn: 1 });
    }
    const before = contents(root);
    kill(scratch, { tool: 'undo', nth });
    await using bench = await workbench({ folder, mode: 'trusted' });
    const call = callsWith(bench);
    const isBegun = !isDeepStrictEqual(contents(root), before);
    // What was left to undo, if anything: then all of it comes again, in as many steps.
    const rest = await call('undo');
    expect(contents(root)).toEqual(original);
    for (const isNeeded of [rest.status === 'completed', isBegun])
      if (isNeeded) expect(await call('redo')).toMatchObject({ data: { refused: [] } });
    expect(contents(root)).toEqual(before);
    expect((await call('redo')).status).toBe('failed');
  });
});

const steps = [
  ['a.txt', '1\n'],
  ['b.txt', '1\n'],
  ['a.txt', '2\n'],
  ['c.txt', '2\n'],
] as const;
