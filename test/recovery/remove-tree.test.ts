// Removing a tree while things happen to it: only what is in it goes.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runInTurns, runNow } from '../../packages/runtime/src/platform/steps.ts';
import { Directory } from '../../packages/runtime/src/workspace/directory.ts';
import { removeTreeInSteps } from '../../packages/runtime/src/workspace/trees/remove-tree.ts';
import { removeTree } from '../../packages/runtime/src/workspace/trees/tree.ts';
import { asNobody, isRoot } from '../support/calls-in-child.ts';
import { folderWith } from '../support/folder-with.ts';
import { canMount, mountTmpfs } from '../support/tmpfs.ts';
import { turnsDuring } from '../support/turns-during.ts';

let folder: string;
let parent: Directory;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-test-'));
  parent = Directory.openRoot(folder);
});

afterEach(() => {
  parent[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const tree = (path = ''): string => join(folder, 't', path);
const names = ['a', 'b', 'c'];

function createFiles(): void {
  for (const name of names)
    for (let n = 0; n < 100; n++) folderWith(tree(), { [`${name}/file-${n}`]: `${n}` });
  folderWith(folder, { 'outside/secret': 'secret' });
}

/** A folder of the tree that is still whole when another one is not. */
function untouched(): string {
  const counts = names.map((name) => (existsSync(tree(name)) ? readdirSync(tree(name)).length : 0));
  return counts.some((count) => count < 100) ? (names[counts.indexOf(100)] ?? '') : '';
}

function removeWith(happen: (name: string) => void): void {
  const work = removeTreeInSteps(parent, 't');
  while (untouched() === '') if (work.next().done === true) throw new Error('it was over before');
  happen(untouched());
  runNow(work);
}

test('others get their turn again and again', async () => {
  folderWith(tree(), { 'd/file': '' });
  for (let n = 0; n < 2000; n++) writeFileSync(tree(`d/file-${n}`), '');
  const progress: number[] = [];
  const work = runInTurns(removeTreeInSteps(parent, 't'), {
    onProgress: ({ files }) => progress.push(files),
  });
  // In pieces of 64.
  expect(await turnsDuring(work)).toBeGreaterThan(15);
  expect(progress.length).toBeGreaterThanOrEqual(15);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder swapped for a link is not followed; the link goes', () => {
  createFiles();
  removeWith((name) => {
    renameSync(tree(name), join(folder, 'aside'));
    symlinkSync('../outside', tree(name));
  });
  expect(readdirSync(folder).sort()).toEqual(['aside', 'outside']);
  expect(readdirSync(join(folder, 'aside'))).toHaveLength(100);
  expect(readFileSync(join(folder, 'outside/secret'), 'utf8')).toBe('secret');
});

test('what vanishes, turns from folder to file or is added meanwhile is no hindrance', () => {
  createFiles();
  removeWith((name) => {
    rmSync(tree(name), { recursive: true });
    writeFileSync(tree(name), 'a file now');
    folderWith(tree(), { 'new/d/file': '' });
    for (const other of names) {
      if (!existsSync(tree(other)) || other === name) continue;
      for (const file of readdirSync(tree(other)).slice(0, 20)) rmSync(tree(`${other}/${file}`));
      folderWith(tree(other), { 'new/d/file': '' });
    }
  });
  expect(readdirSync(folder)).toEqual(['outside']);
});

test('nothing there is fine, and so are names that are not UTF-8 beside those they look like', () => {
  removeTree(parent, 't');
  mkdirSync(tree());
  writeFileSync(Buffer.concat([Buffer.from(tree('f')), Buffer.from([0xff])]), '');
  mkdirSync(Buffer.concat([Buffer.from(tree('d')), Buffer.from([0xff])]));
  writeFileSync(tree('f\ufffd'), '');
  removeTree(parent, 't');
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(isRoot)('folders that their owner closed are opened', () => {
  folderWith(tree(), { 'shut/in/file': '', 'read-only/file': '', 'unlisted/file': '' });
  const modes = { 'shut/in': 0, shut: 0, 'read-only': 0o500, unlisted: 0o300 };
  spawnSync('chown', ['-R', '65534:65534', folder]);
  chmodSync(folder, 0o755);
  for (const [path, mode] of Object.entries(modes)) chmodSync(tree(path), mode);
  // Root may do everything, so somebody else has to remove it.
  const script = join(folder, 'remove.mjs');
  const contents = `import { Directory } from './directory.ts';
    import { removeTree } from './trees/tree.ts';
    removeTree(Directory.openRoot(process.argv[2]), 't');`;
  const resolveDir = join(import.meta.dirname, '../../packages/runtime/src/workspace');
  buildSync({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outfile: script,
  });
  chownSync(script, 65534, 65534);
  const [program, ...args] = [...asNobody, process.execPath, script, folder];
  expect(spawnSync(program, args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(folder)).toEqual(['remove.mjs']);
});

test('what is mounted inside is left alone', ({ skip }) => {
  skip(!canMount(), 'this machine does not let us mount');
  folderWith(tree(), { 'd/file': '' });
  using mounted = mountTmpfs(tree('d/mounted'), 'size=64k');
  folderWith(mounted.path, { precious: 'precious' });
  expect(() => removeTree(parent, 't')).toThrow('mounted is a mount point');
  expect(readFileSync(join(mounted.path, 'precious'), 'utf8')).toBe('precious');
});
