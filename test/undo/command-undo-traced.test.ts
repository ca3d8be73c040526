// Undo of a sandboxed command that writes without a pause: the kernel tells which files the command writes, so what somebody else changed
// meanwhile stays, whatever the times say.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outcome } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { findTracer } from '../../packages/runtime/src/sandbox/backends/system-program.ts';
import { dataOf, type ProcessBench, processBench } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';
import { worktreeState } from '../support/worktree-state.ts';

const files = {
  'src/a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'src/edited.txt': 'before\n',
  'src/deleted.txt': 'deleted\n',
  'src/renamed.txt': 'renamed\n',
  'lib/moved/in.txt': 'in\n',
  'lib/gone.txt': 'gone\n',
};

/** Writes files in all folders without a pause, until there is `node_modules/done`. */
const busy = (out: string): string => `
  const fs = require('fs');
  fs.mkdirSync(${JSON.stringify(out)});
  fs.appendFileSync('src/a.txt', 'by ${out}\\n');
  for (let i = 0; !fs.existsSync('node_modules/done') || i < 300; i++) {
    fs.writeFileSync('${out}/' + i % 300, 'x'.repeat(i % 5000));
    fs.writeFileSync('src/${out}.tmp', String(i));
    fs.renameSync('src/${out}.tmp', 'src/${out}-' + i % 20);
    if (i === 50) fs.writeFileSync('node_modules/${out}-writes', '');
  }
  fs.writeFileSync('src/b.txt', 'by ${out}');
  fs.rmSync('lib/gone.txt', { force: true });
  if (fs.existsSync('lib/moved')) fs.renameSync('lib/moved', '${out}/moved');
`;
const run = (script: string): string => `node -e "$(cat node_modules/${script}.js)"`;

/** Changes of a person: one file edited, one created, one deleted, one renamed, in folders that the command changes as well. */
function workOfUser(root: string): void {
  writeFileSync(join(root, 'src/edited.txt'), 'mine, and longer than before\n');
  writeFileSync(join(root, 'src/created.txt'), 'mine\n');
  rmSync(join(root, 'src/deleted.txt'));
  renameSync(join(root, 'src/renamed.txt'), join(root, 'src/moved.txt'));
}
const ofUser = ['created.txt', 'deleted.txt', 'edited.txt', 'moved.txt', 'renamed.txt'].map(
  (name) => `src/${name}`,
);

/** What is left when only the person had been there. */
function expected(): Record<string, string> {
  const left = Object.entries(files).filter(
    ([path]) => !['src/deleted.txt', 'src/renamed.txt'].includes(path),
  );
  return {
    ...Object.fromEntries(left),
    'src/edited.txt': 'mine, and longer than before\n',
    'src/created.txt': 'mine\n',
    'src/moved.txt': 'renamed\n',
  };
}

function filesIn(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((name) => !name.startsWith('node_modules/') && !name.startsWith('.git/'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

function script(root: string, name: string): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'node_modules', `${name}.js`), busy(name));
}

async function there(path: string): Promise<void> {
  while (!existsSync(path)) await nextTurn();
}

const isMissing = 'why' in findTracer() || backends.length === 0;

describe.skipIf(isMissing)('a command that writes all the time', { timeout: 60_000 }, () => {
  test.each(backends)('what its user does meanwhile stays, held by %s', async (sandbox) => {
    await using it: ProcessBench = await processBench({ files, sandbox });
    script(it.root, 'out');
    const running = it.run(run('out'));
    await there(join(it.root, 'node_modules/out-writes'));
    workOfUser(it.root);
    writeFileSync(join(it.root, 'node_modules/done'), '');
    const ran: Outcome = await running;
    expect(dataOf(ran).notes).toContain(
      `Changed while the command ran, but not by it, so undo leaves it: ${ofUser.join(', ')}.`,
    );
    expect(ran.effects.filter(({ path, uncertain }) => uncertain || ofUser.includes(path))).toEqual([]);
    expect(await it.bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect(filesIn(it.root)).toEqual(expected());
    expect(existsSync(join(it.root, 'out'))).toBe(false);
    expect(it.left()).toEqual([]);
  });
});
