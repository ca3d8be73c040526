// Lines whose words tell that they delete or replace what undo could not bring back: asked about in every mode. What undo can bring back,
// and what tools make again, is not.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lossNotes, type Outcome } from '@codelab/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forceSandbox } from '../../packages/runtime/src/sandbox/backends/find-sandbox.ts';
import { codeOf } from '../support/code-of.ts';
import { backends } from '../support/sandbox-bench.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const ignored = 'data/\nbig.db\nnode_modules/\ndist/\nempty/\n';
const mib = 1024 * 1024;

let bench: Workbench;
let questions: string[];

const git = (folder: string, ...args: string[]): void => {
  const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  expect(spawnSync('git', [...userSettings, ...args], { cwd: join(bench.root, folder) }).status).toBe(0);
};

const createFile = (path: string, size = 0): void => {
  mkdirSync(dirname(join(bench.root, path)), { recursive: true });
  writeFileSync(join(bench.root, path), `precious ${path}\n`);
  if (size > 0) truncateSync(join(bench.root, path), size);
};

const run = (command: string): Promise<Outcome> => bench.call('run_command', { command });
const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');

describe.each(backends.slice(0, 1))('in review mode (%s)', (backend) => {
  beforeAll(async () => {
    forceSandbox(backend);
    bench = await workbench({ files: { '.gitignore': ignored, 'a.txt': 'a\n' }, mode: 'review' });
    bench.human(({ verdict }) => {
      questions.push(verdict.reason);
      return { kind: 'reject' };
    });
    git('.', 'init', '-q');
    git('.', 'add', '-A');
    git('.', 'commit', '-qm', 'one');
    for (const path of ['data/db.sqlite', 'node_modules/m/index.js', 'dist/app.js', 'sub/p.txt', 'new.txt'])
      createFile(path);
    mkdirSync(join(bench.root, 'empty/below'), { recursive: true });
    createFile('big.db', 2 * mib);
    createFile('d.bin', 70 * mib);
    for (let i = 0; i < 70; i++) createFile(`ds/${i}`, mib);
    git('sub', 'init', '-q');
  });
  beforeEach(() => {
    questions = [];
  });
  afterAll(async () => {
    forceSandbox(undefined);
    await bench[Symbol.asyncDispose]();
  });

  test.each([
    ['rm -rf data', 'data'],
    ['cd data && rm -f db.sqlite', 'data/db.sqlite'],
    ['echo x > data/db.sqlite', 'data/db.sqlite'],
    ['echo x >| data/db.sqlite', 'data/db.sqlite'],
    ['true && : > data/db.sqlite', 'data/db.sqlite'],
    ['mv a.txt data/db.sqlite', 'data/db.sqlite'],
    ['cp a.txt data/db.sqlite', 'data/db.sqlite'],
    ['cp -f --target-directory=data db.sqlite', 'data/db.sqlite'],
    ['cp a.txt big.db', 'big.db'],
    ['mv data elsewhere', 'data'],
    ['mv data node_modules', 'data'],
    ['truncate -s 0 data/db.sqlite', 'data/db.sqlite'],
    ['shred data/db.sqlite', 'data/db.sqlite'],
    ['unlink data/db.sqlite', 'data/db.sqlite'],
    ['ls | tee data/db.sqlite', 'data/db.sqlite'],
    ['sed -i s/p/q/ data/db.sqlite', 'data/db.sqlite'],
    ["sh -c 'rm -r data'", 'data'],
    ['timeout 5 rm -r data', 'data'],
    ['ln -sf a.txt data/db.sqlite', 'data/db.sqlite'],
    ['rm big.db', 'big.db'],
    ['rm d.bin', 'd.bin'],
    ['rm -rf ds', 'ds/69'],
    ['rm -rf sub', 'sub'],
    ['rm sub/p.txt', 'sub/p.txt'],
    ['echo x > sub/p.txt', 'sub/p.txt'],
  ])('%j is asked about', async (command, expected) => {
    await run(command);
    expect(questions).toEqual([expect.stringContaining('Undo can’t restore')]);
    expect(questions[0]).toContain(expected);
    expect(read('data/db.sqlite')).toBe('precious data/db.sqlite\n');
  });

  test.each([
    'rm -rf node_modules dist',
    'rm -rf empty',
    'echo x > dist/app.js',
    'echo x >> data/db.sqlite',
    'echo x | tee -a data/db.sqlite',
    'touch data/db.sqlite',
    'chmod 600 data/db.sqlite',
    'echo x > data/new.txt',
    'mkdir -p data/more',
    'cp data/db.sqlite copy.txt',
    'rm new.txt a.txt',
    'rm ds/1 ds/2',
    'git checkout a.txt',
  ])('%j runs unasked', async (command) => {
    expect([codeOf(await run(command)), questions]).toEqual(['completed', []]);
  });

  test.each(['rm -f odd/*', 'rm -r odd', 'mv odd elsewhere', 'sed -i s/p/q/ odd/*'])(
    'a name that is not UTF-8 can be lost like any other: %j is asked about',
    async (command) => {
      const folder = join(bench.root, 'odd');
      mkdirSync(folder, { recursive: true });
      const file = Buffer.concat([Buffer.from(`${folder}/x`), Buffer.from([0xff])]);
      writeFileSync(file, 'precious\n');
      await run(command);
      expect(questions).toEqual([expect.stringContaining('Undo can’t restore')]);
      expect(readFileSync(file, 'utf8')).toBe('precious\n');
    },
  );

  test.each(['committed', 'staged'])(
    'a %s file that is too large to be read from git is asked about',
    async (where) => {
      createFile('large.bin', 70 * mib);
      git('.', 'add', 'large.bin');
      if (where === 'committed') git('.', 'commit', '-qm', 'large');
      await run('rm large.bin');
      expect(questions).toEqual([expect.stringContaining('large.bin')]);
      git('.', 'rm', '-q', '--cached', 'large.bin');
    },
  );

  test('what the words name is kept before what they do not name', async () => {
    await run('rm -rf ds/3 ds/4');
    await bench.call('undo', {});
    expect([existsSync(join(bench.root, 'ds/3')), existsSync(join(bench.root, 'ds/4'))]).toEqual([
      true,
      true,
    ]);
  });

  test('an overwritten tracked file that is too large to be kept is asked about', async () => {
    createFile('movie.bin', mib);
    git('.', 'add', 'movie.bin');
    git('.', 'commit', '-qm', 'movie');
    createFile('movie.bin', 70 * mib);
    await run('git checkout movie.bin');
    expect(questions).toEqual([expect.stringContaining('movie.bin')]);
  });

  test('what code deletes by itself is named in the result as lost; what tools make again is not', async () => {
    writeFileSync(
      join(bench.root, 'go.cjs'),
      "for (const p of ['data', 'dist']) require('fs').rmSync(p, { recursive: true });",
    );
    const outcome = await run('node go.cjs');
    expect(questions).toEqual([]);
    expect(lossNotes(outcome)).toEqual(["Removed, and undo can't bring it back: data."]);
    expect(existsSync(join(bench.root, 'dist'))).toBe(false);
  });

  test('staged content that is in no commit and in no file is asked about before a reset', async () => {
    const lines = ['git reset', 'git reset HEAD a.txt', 'git restore --staged a.txt'];
    git('.', 'checkout', 'a.txt');
    createFile('a.txt');
    git('.', 'add', 'a.txt');
    for (const line of lines.slice(0, 1))
      expect([codeOf(await run(line)), questions]).toEqual(['completed', []]);
    git('.', 'add', 'a.txt');
    writeFileSync(join(bench.root, 'a.txt'), 'later\n');
    for (const line of lines) await run(line);
    expect(questions).toEqual(lines.map(() => expect.stringContaining('a.txt (staged)')));
  });
});
