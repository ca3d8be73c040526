import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryPackages } from '../../scripts/pack/libraries.ts';
import { emptyPlace, offline } from '../support/installed-program.ts';

const modules = join(import.meta.dirname, '../..', 'node_modules');

/** Uses every library as somebody else would, with nothing but its types to go by. */
const consumer = `
import { fillPath, sessionRoutes } from '@codelab/api';
import { CodeLabAPI, type ApiOptions } from '@codelab/client';
import { PathValidator } from '@codelab/client/node';
import { findDialect } from '@codelab/dialects';
import { errorTable, ToolError, type ErrorCode } from '@codelab/protocol';
import { digest, readFrontMatter } from '@codelab/runtime';

const options: ApiOptions = {};
const api = new CodeLabAPI(options);
const code: ErrorCode = 'FILE_NOT_FOUND';
// @ts-expect-error: no code of the table
const wrong: ErrorCode = 'NO_SUCH_CODE';
// @ts-expect-error: a digest is made of bytes or text
const digestOf = (value: number): string => digest(value);
console.log(JSON.stringify({
  code: new ToolError(code, wrong).code,
  digest: digestOf.length,
  next: errorTable[code].next,
  names: [api.constructor.name, PathValidator.name, typeof readFrontMatter, typeof fillPath, typeof sessionRoutes],
  reads: findDialect('codelab').tools.some(({ name }) => name === 'read_file'),
}));
`;

test('the libraries install from their tarballs, compile in a strict project and run', async () => {
  using place = emptyPlace();
  const tarballs = libraryPackages(join(import.meta.dirname, '../..')).map(({ name, version, files }) => [
    name,
    `file:${place.write(`${name.replace('/', '-')}-${version}.tgz`, files)}`,
  ]);
  // Their dependencies, which a registry would have.
  const others = ['zod', 'unbash', 'vscode-jsonrpc', 'eventsource-parser'].map((name) => [
    name,
    `file:${folderOf(name)}`,
  ]);
  const manifest = { type: 'module', dependencies: Object.fromEntries([...tarballs, ...others]) };
  writeFileSync(join(place.workspace, 'package.json'), JSON.stringify(manifest));
  expect(await place.run('npm', ['install', ...offline])).toMatchObject({ code: 0, stderr: '' });

  writeFileSync(join(place.workspace, 'consumer.ts'), consumer);
  const compilerOptions = {
    ...{ strict: true, module: 'nodenext', target: 'es2024', noEmit: true, types: ['node'] },
    lib: ['es2025', 'dom', 'esnext.disposable', 'esnext.array'],
    typeRoots: [join(modules, '@types')],
  };
  const config = { compilerOptions, files: ['consumer.ts'] };
  writeFileSync(join(place.workspace, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  expect(await place.run('node', [tsc, '-p', '.'])).toEqual({ code: 0, stdout: '', stderr: '' });

  const { stdout, stderr } = await place.run('node', ['consumer.ts']);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    code: 'FILE_NOT_FOUND',
    digest: 1,
    next: expect.any(String),
    names: ['CodeLabAPI', 'PathValidator', 'function', 'function', 'object'],
    reads: true,
  });
}, 90_000);

function folderOf(name: string): string {
  const folders = [join(modules, '..', 'packages', 'client', 'node_modules', name), join(modules, name)];
  return folders.find(existsSync) ?? '';
}
