// V8's compiled code of the core is cached for the next start (apps/cli/src/run-cached.ts), for the built command.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DistFile, withCoreScript } from '../../scripts/core-script.ts';

const command = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-cached-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a command', () => {
  test('keeps it once, by kind of command, and then uses it', () => {
    start('--version');
    start('help');
    const [file = ''] = cacheFiles();
    expect(cacheFiles()).toEqual([expect.stringMatching(/core-[\da-f]{8}\.js-other$/)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { ino } = statSync(file);
    start('--version');
    expect(statSync(file).ino).toBe(ino);
    start('tool', '--help');
    expect(cacheFiles().map((name) => name.replace(/.*-/, ''))).toEqual(['other', 'tool']);
  });

  test('replaces one that is cut off, and one of something else', () => {
    start('--version');
    const [file = ''] = cacheFiles();
    truncateSync(file, 1000);
    start('--version');
    expect(statSync(file).size).toBeGreaterThan(100_000);
    writeFileSync(file, 'something else');
    start('--version');
    expect(statSync(file).size).toBeGreaterThan(100_000);
  });

  test('removes what is older than a month', () => {
    start('--version');
    const [file = ''] = cacheFiles();
    const old = join(file, '..', 'core-00000000.js-run');
    const young = join(file, '..', 'core-11111111.js-run');
    for (const one of [old, young]) writeFileSync(one, '');
    utimesSync(old, 0, 0);
    rmSync(file);
    start('--version');
    expect([file, old, young].map((one) => existsSync(one))).toEqual([true, false, true]);
  });

  test('does without where it cannot be kept, or others can write', () => {
    start('--version');
    const [file = ''] = cacheFiles();
    rmSync(file);
    mkdirSync(file);
    start('--version');
    rmSync(join(folder, 'cache'), { recursive: true });
    mkdirSync(join(folder, 'cache', 'v8'), { recursive: true });
    chmodSync(join(folder, 'cache', 'v8'), 0o777);
    start('--version');
    expect(cacheFiles()).toEqual([]);
  });
});

describe('the core as a script', () => {
  test('gives other files the same names, and imports and folder are those of the module', async () => {
    const core = `export const folder = import.meta.dirname; export const late = () => import('./late.js').then(() => import('./late.js'));
      export class $A {} export { folder as other };`;
    const files = await bundle(core, `export { folder, other, late, $A } from './core.js';`);
    for (const { name, contents } of files) writeFileSync(join(folder, name), contents);
    const { $A, folder: importedFolder, late, other } = await import(join(folder, 'main.mjs'));
    expect([importedFolder, other, new $A().constructor.name]).toEqual([folder, folder, '$A']);
    expect((await late()).late).toBe(1);
  });

  test.each([
    ['export let count = 0; export const next = () => count++;', 'count is assigned again'],
    ['export let at; export const set = () => { at ??= 1; };', 'at is assigned again'],
    ['export const url = import.meta.url;', 'import.meta.url'],
    ['export const text = `import("./x")`;', 'import("./x")'],
  ])('refuses what a script can not be: %s', async (core, message) => {
    await expect(bundle(core, `export * from './core.js';`)).rejects.toThrow(message);
  });
});

async function bundle(core: string, main: string): Promise<DistFile[]> {
  const source = { 'core.js': core, 'main.js': main, 'part.js': main, 'late.js': 'export const late = 1;' };
  for (const [name, text] of Object.entries(source)) writeFileSync(join(folder, name), text);
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: ['main.js', 'part.js'], absWorkingDir: folder, outdir: folder, write: false },
    ...{ bundle: true, splitting: true, format: 'esm', metafile: true, platform: 'node' },
    outExtension: { '.js': '.mjs' },
  });
  const built = outputFiles.map(({ path, text }) => ({
    name: path.slice(folder.length + 1),
    contents: text,
  }));
  return await withCoreScript(built, metafile, 'core.js');
}

function cacheFiles(): string[] {
  const caches = join(folder, 'cache', 'v8');
  return readdirSync(caches).flatMap((folderName) =>
    readdirSync(join(caches, folderName))
      .filter((name) => name.startsWith('core-'))
      .map((name) => join(caches, folderName, name))
      .toSorted(),
  );
}

function start(...args: string[]): void {
  // The cache of the tests would be used instead of its own.
  const { NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, CODELAB_HOME: folder }, encoding: 'utf8' as const };
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], options);
  expect([status, stderr]).toEqual([0, '']);
}
