// Undo of a sandboxed command that writes without a pause: the kernel tells which files the command writes, so what somebody else changed
// meanwhile stays, whatever the times say.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { findTracer } from '../../packages/runtime/src/sandbox/backends/trace-writes.ts';
import { dataOf, hostIds, markedProcesses, processBench } from '../support/process-bench.ts';
import { backends } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const files = {
  'src/a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'src/edited.txt': 'before\n',
  'src/deleted.txt': 'deleted\n',
  'src/renamed.txt': 'renamed\n',
  'lib/moved/in.txt': 'in\n',
  'lib/gone.txt': 'gone\n',
};

/** Writes without a pause, until there is `node_modules/done`: its own folder, and below `src`. `more` comes after that. */
const busy = (out: string, extraLines = ''): string => `
  const fs = require('fs');
  fs.mkdirSync('${out}');
  for (let i = 0; !fs.existsSync('node_modules/done') || i < 300; i++) {
    fs.writeFileSync('${out}/' + i % 300, 'x'.repeat(i % 5000));
    fs.writeFileSync('src/${out}.tmp', String(i));
    fs.renameSync('src/${out}.tmp', 'src/${out}-' + i % 20);
    if (i % 50 === 49) fs.writeFileSync('node_modules/${out}-writes', '');
  }
  ${extraLines}
`;
const longScript = `
  fs.appendFileSync('src/a.txt', 'by the command');
  fs.writeFileSync('src/b.txt', 'by the command');
  fs.rmSync('lib/gone.txt');
  fs.renameSync('lib/moved', 'out/moved');
`;
// The script is no change: undo does not look into this folder.
const run = (name: string): string => `node node_modules/${name}.js`;

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

/** The expected state if only the person had made changes. */
function expected(): Record<string, string> {
  const remaining = Object.entries(files).filter(
    ([path]) => !['src/deleted.txt', 'src/renamed.txt'].includes(path),
  );
  return {
    ...Object.fromEntries(remaining),
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

function script(root: string, name: string, text: string): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'node_modules', `${name}.js`), text);
}

/** When the command has written something from now on. */
async function writes(root: string, name: string): Promise<void> {
  const sign = join(root, 'node_modules', `${name}-writes`);
  rmSync(sign, { force: true });
  while (!existsSync(sign)) await nextTurn();
}

const isMissing = 'why' in findTracer() || backends.length === 0;

const notByIt = `Changed while the command ran, but not by it, so undo leaves it: ${ofUser.join(', ')}.`;

describe.skipIf(isMissing)('a command that writes all the time', { timeout: 60_000 }, () => {
  test.each(backends)('what its user does meanwhile stays, held by %s', async (sandbox) => {
    await using bench = await processBench({ files, sandbox });
    script(bench.root, 'out', busy('out', longScript));
    const running = bench.run(run('out'));
    await writes(bench.root, 'out');
    workOfUser(bench.root);
    await writes(bench.root, 'out');
    writeFileSync(join(bench.root, 'node_modules/done'), '');
    const ran = await running;
    expect(dataOf(ran).notes).toContain(notByIt);
    expect(ran.effects.filter(({ path, uncertain }) => uncertain || ofUser.includes(path))).toEqual([]);
    expect(await bench.bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect(filesIn(bench.root)).toEqual(expected());
    expect(existsSync(join(bench.root, 'out'))).toBe(false);
    expect(bench.remaining()).toEqual([]);
  });

  test('the same when CodeLab is killed in the middle', async () => {
    using scratch = scratchFolder({ files });
    const { folder, root } = scratch;
    script(root, 'out', busy('out'));
    const host = spawn(
      process.execPath,
      [join(import.meta.dirname, '../support/command-host.ts'), folder, run('out')],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    await writes(root, 'out');
    workOfUser(root);
    await writes(root, 'out');
    host.kill('SIGKILL');
    await once(host, 'exit');
    await using bench = await workbench({ folder, mode: 'review' });
    expect(markedProcesses(hostIds(join(folder, 'home')))).toEqual([]);
    expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect(filesIn(root)).toEqual(expected());
  });

  test('each of two sessions has its own', async () => {
    await using bench = await processBench({ files, sandbox: 'auto' });
    bench.bench.human(approveAll, 's2');
    for (const name of ['first', 'second']) script(bench.root, name, busy(name));
    const firstRun = bench.run(run('first'));
    const two = bench.bench.call('run_command', { command: run('second') }, { session: 's2', id: 'second' });
    await Promise.all([writes(bench.root, 'first'), writes(bench.root, 'second')]);
    workOfUser(bench.root);
    await Promise.all([writes(bench.root, 'first'), writes(bench.root, 'second')]);
    writeFileSync(join(bench.root, 'node_modules/done'), '');
    for (const [name, ran] of [
      ['first', await firstRun],
      ['second', await two],
    ] as const) {
      expect(ran.effects.filter(({ path }) => !path.includes(name))).toEqual([]);
      expect(ran.effects.filter(({ uncertain }) => uncertain)).toEqual([]);
      expect(ran.effects.length).toBeGreaterThan(320);
    }
    expect(await bench.bench.call('undo', {})).toMatchObject({ data: { refused: [] } });
    const remaining = filesIn(bench.root);
    expect(Object.keys(remaining).filter((path) => path.includes('first'))).toEqual([]);
    expect(Object.keys(remaining).filter((path) => path.includes('second')).length).toBeGreaterThan(319);
    expect(await bench.bench.call('undo', {}, { session: 's2' })).toMatchObject({ data: { refused: [] } });
    expect(filesIn(bench.root)).toEqual(expected());
  });

  test('a real build: what its user saves meanwhile stays, also in the folder that it fills', async () => {
    await using bench = await processBench({ files, sandbox: 'auto' });
    const esbuild = join(import.meta.dirname, '../../node_modules/esbuild/bin/esbuild');
    const modules = Array.from({ length: 400 }, (_, i) => `m${i}`);
    mkdirSync(join(bench.root, 'code'));
    for (const name of modules)
      writeFileSync(
        join(bench.root, 'code', `${name}.ts`),
        `export const ${name}: number = ${name.length};\n`,
      );
    const build = `${esbuild} code/*.ts --outdir=dist --sourcemap --log-level=error`;
    const before = filesIn(bench.root);
    // The build is repeated, so that one runs while the user saves.
    const running = bench.run(`while [ ! -e node_modules/done ]; do ${build} || exit 1; done`);
    while (!existsSync(join(bench.root, 'dist/m9.js'))) await nextTurn();
    workOfUser(bench.root);
    writeFileSync(join(bench.root, 'dist/notes.txt'), 'mine\n');
    mkdirSync(join(bench.root, 'node_modules'), { recursive: true });
    writeFileSync(join(bench.root, 'node_modules/done'), '');
    const ran = await running;
    expect(dataOf(ran)).toMatchObject({ exit_code: 0 });
    expect(ran.effects.map(({ path }) => path).filter((path) => !path.startsWith('dist'))).toEqual([]);
    await bench.bench.call('undo', {});
    const { 'dist/notes.txt': notes, ...remaining } = filesIn(bench.root);
    const sources = Object.entries(before).filter(([path]) => path.startsWith('code/'));
    expect([notes, remaining]).toEqual(['mine\n', { ...expected(), ...Object.fromEntries(sources) }]);
  });
});
