// Files planted to make the fingerprint of a command take forever do not delay it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLine } from '../policy/shell/read-line.ts';
import { Workspace } from '../workspace/workspace.ts';
import { fingerprint } from './fingerprint.ts';

let root = '';
let workspace: Workspace;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'codelab-prints-'));
  workspace = Workspace.open(root);
});

afterAll(() => {
  workspace[Symbol.dispose]();
  rmSync(root, { recursive: true, force: true });
});

async function fingerprintOf(line: string, cwd = ''): Promise<{ files: string[]; unknown: string }> {
  const { parts } = await readLine(line, { workspace, cwd });
  const executions = (await fingerprint(parts, workspace)).parts.flatMap(({ execution }) => execution ?? []);
  return {
    files: executions.flatMap((execution) => execution.files.map(({ path }) => path)),
    unknown: executions.flatMap((execution) => execution.unknown ?? []).join(' '),
  };
}

const blanks = ' '.repeat(900_000);

test.each<[string, string, Record<string, string>]>([
  [
    'scripts that start each other from ever other folders',
    'sh h/x.sh',
    { 'h/x.sh': `${'(cd d && sh "$(dirname "$0")/x.sh")\n'.repeat(60)}` },
  ],
  ['a makefile with a long line', 'make -f h/m.mk', { 'h/m.mk': `a${blanks}\nb:${blanks}x=\n` }],
  ['a pattern with many stars', 'make -f h/s.mk', { 'h/s.mk': `include ${'*'.repeat(50)}a*a*a*a*a*a*b\n` }],
  [
    'a setting with a long line',
    'npm start --prefix h/n',
    { 'h/n/package.json': '{"scripts":{"start":"true"}}', 'h/n/.npmrc': `shell ${blanks}` },
  ],
  [
    'a task file with a long line',
    'task -t h/Task.yml',
    { 'h/Task.yml': `includes:\n ${blanks}a\n${blanks}` },
  ],
])('%s', async (_name, line, planted) => {
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect((await fingerprintOf(line)).files.length).toBeGreaterThan(0);
});

test('a folder with very many names', async () => {
  mkdirSync(join(root, 'many'));
  for (let i = 0; i <= 5000; i++) writeFileSync(join(root, 'many', `f${i}`), '');
  expect((await fingerprintOf('make', 'many')).unknown).toContain('many has too many names');
});
