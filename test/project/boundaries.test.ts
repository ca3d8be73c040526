import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../..', 'scripts', 'boundaries.ts');
const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

test('every import of this repository follows the arrows', () => {
  expect(boundaries()).toEqual({ exitCode: 0, stderr: '' });
});

test('a package may import what its arrows say, and its own files', () => {
  const tree = createFiles({
    'packages/protocol/src/index.ts':
      "import * as z from 'zod/mini';\nexport { a } from './a.ts';\nexport { z };",
    'packages/protocol/src/deep/b.ts': "import type { A } from '../index.ts';\nexport type B = A;",
    'packages/protocol/src/a.test.ts': "import 'vitest';\nimport 'node:fs';",
    'packages/runtime/src/index.ts': "import '@codelab/protocol';\nimport 'node:fs/promises';",
    'apps/cli/package.json': '{ "dependencies": { "commander": "1.0.0", "zod": "4.0.0" } }',
    'apps/cli/src/main.ts': "import 'commander';\nimport '@codelab/server';\nawait import('./run.ts');",
  });
  expect(boundaries(tree)).toEqual({ exitCode: 0, stderr: '' });
});

test('outside the runtime only files of the table touch files or start programs', () => {
  const tree = createFiles({
    'apps/server/src/new.ts': "import { spawn } from 'node:child_process';",
    'apps/server/src/compose.ts': "import { realpathSync } from 'node:fs';",
    'packages/runtime/src/any.ts': "import 'node:fs';\nimport 'node:child_process';",
  });
  expect(boundaries(tree)).toEqual({
    exitCode: 1,
    stderr:
      'apps/server/src/new.ts:1 imports node:child_process\n' +
      '  only files in scripts/machine-access.ts may\n',
  });
});

test('the error names the file, the line, the import and what is allowed', () => {
  const tree = createFiles({
    'packages/dialects/src/plugin.ts':
      "import * as z from 'zod/mini';\n\nimport { join } from 'node:path';\n",
  });
  expect(boundaries(tree)).toEqual({
    exitCode: 1,
    stderr:
      'packages/dialects/src/plugin.ts:3 imports node:path\n' +
      '  packages/dialects may import: files below itself, @codelab/protocol, zod/mini\n',
  });
});

test.each([
  ['the other zod', 'packages/protocol', "import * as z from 'zod';"],
  ['the other zod where zod is a dependency', 'apps/cli', "import * as z from 'zod';"],
  ['a package further out', 'packages/protocol', "import '@codelab/runtime';"],
  ['the command line', 'apps/server', "import '@codelab/cli';"],
  ['a file inside another package', 'apps/cli', "import '@codelab/runtime/src/run-call.ts';"],
  ['a relative path out of the package', 'apps/cli', "import '../../../packages/runtime/src/index.ts';"],
  ['a type', 'packages/dialects', "import type { Tool } from '@codelab/runtime';"],
  ['a type written in place', 'packages/dialects', "export type Tool = import('@codelab/runtime').Tool;"],
  ['a re-export', 'packages/dialects', "export { run } from '@codelab/runtime';"],
  ['a dynamic import', 'packages/dialects', "export const run = () => import('@codelab/runtime');"],
  ['a required module', 'packages/runtime', "require('@codelab/server');"],
  ['a name computed at run time', 'packages/runtime', 'export const load = (name: string) => import(name);'],
  ['an undeclared dependency', 'apps/cli', "import 'left-pad';"],
  ['anything, in a package without arrows', 'packages/unheard-of', ''],
])('it refuses %s', (_, folder, source) => {
  const tree = createFiles({
    'apps/cli/package.json': '{ "dependencies": { "zod": "4.0.0" } }',
    [`${folder}/src/index.ts`]: source,
  });
  expect(boundaries(tree)).toEqual({ exitCode: 1, stderr: expect.stringContaining(folder) });
});

test('a folder of a package imports only the folders its layer names', () => {
  const tree = createFiles({
    'packages/runtime/src/workspace/read.ts':
      "import type { Host } from '../core/host.ts';\nimport '../platform/a.ts';",
    'packages/runtime/src/workspace/read.test.ts': "import '../core/host.ts';",
    'packages/runtime/src/core/host.ts': "import '../workspace/read.ts';\nexport type Host = object;",
    'packages/runtime/src/platform/a.ts': '',
    'packages/runtime/src/index.ts': "export { host } from './core/host.ts';",
  });
  expect(boundaries(tree)).toEqual({
    exitCode: 1,
    stderr:
      'packages/runtime/src/workspace/read.ts:1 imports packages/runtime/src/core/host.ts\n' +
      '  workspace may import: workspace, platform, patch\n',
  });
});

test.each([
  ['a folder nobody has placed', 'packages/runtime/src/odds/a.ts', '', 'the folder odds'],
  [
    'a tool that judges',
    'packages/runtime/src/tools/a.ts',
    "import '../policy/rule-book.ts';",
    'tools may import',
  ],
  [
    'a second module that ends calls',
    'apps/server/src/a.ts',
    "export const end = { type: 'call.finished', callId: 'c' };",
    'the end of a call is written only in',
  ],
  [
    'another way to the verdict',
    'packages/runtime/src/core/registry.ts',
    'export const verdict = host.rules.judge(facts, plan, options);',
    'the judge step only in',
  ],
])('it refuses %s', (_, path, source, message) => {
  expect(boundaries(createFiles({ [path]: source }))).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining(message),
  });
});

function boundaries(...args: string[]): { exitCode: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { exitCode: status, stderr };
}

function createFiles(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), 'codelab-boundaries-'));
  trees.push(tree);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return tree;
}
