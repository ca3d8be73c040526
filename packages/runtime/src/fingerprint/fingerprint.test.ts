// Which files each kind of command is found to execute, and which commands cannot be determined.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { englishText } from '@codelab/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLine } from '../policy/shell/read-line.ts';
import { Workspace } from '../workspace/workspace.ts';
import { fingerprint } from './fingerprint.ts';

const scripts = {
  test: 'checker --fast',
  pretest: 'npm run -s build',
  build: 'node tools/build.js',
  all: 'run-s build lint',
  lint: 'cross-env A=1 linter',
  moved: 'cd sub && make',
  hidden: 'PATH=./bin:$PATH checker',
  odd: '$TOOL x',
  loop: 'npm run loop',
};

const files: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', scripts }),
  '.npmrc': '//registry.example/:_authToken=secret\nscript-shell=./tools/shell\n',
  'node_modules/.bin/checker': '#!/bin/sh\n',
  'node_modules/.bin/linter': '#!/usr/bin/env node\n',
  'tools/build.js': '1\n',
  'tools/shell': '#!/bin/sh\n',
  'tools/safe.js': '2\n',
  Makefile: 'include common.mk\nall: part\n\t@echo all\npart:\n\tsh run.sh\n',
  'common.mk': 'X = 1\n',
  'other.mk': 'other:\n\techo other\n',
  'sub/Makefile': 'all:\n\techo sub\n',
  'run.sh': '. ./lib.sh\n./tools/shell\n',
  'lib.sh': 'source "$(dirname "$0")/deep.sh"\n',
  'deep.sh': 'echo\n',
  pipefail: 'echo not me\n',
  'mod.py': '1\n',
  'pkg/__init__.py': '',
  'pkg/__main__.py': '1\n',
  'pkg/run.py': '1\n',
  'tests/unit/conftest.py': '1\n',
  'pyproject.toml': '\n',
  justfile: "import 'more.just'\nall:\n  echo\n",
  'more.just': 'x:\n  @sh deep.sh\n',
  'Taskfile.yml': "version: '3'\nincludes:\n  docs: ./tasks/Docs.yml\n",
  'tasks/Docs.yml': "version: '3'\ntasks:\n  all:\n    cmds:\n      - node ../tools/safe.js\n",
  'app/package.json': JSON.stringify({ main: 'lib/start', scripts: { constructor: 'true' } }),
  'app/lib/start.js': '1\n',
  'Cargo.toml': '[workspace]\nmembers = ["crates/a"]\n',
  'crates/a/Cargo.toml': '\n',
  'crates/a/build.rs': '\n',
  '.cargo/config.toml': '[build]\nrustc-wrapper = "./w"\n',
  gradlew: '#!/bin/sh\n',
  'gradle/wrapper/gradle-wrapper.properties': '\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config':
    '[alias]\n\tgo = !sh run.sh\n[branch "main"]\n\tremote = origin\n[core]\n\thooksPath = hooks\n',
  'hooks/pre-commit': '#!/bin/sh\nsh lib.sh\n',
};

let root = '';
let workspace: Workspace;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'codelab-prints-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  }
  symlinkSync('/etc/hosts', join(root, 'outside.sh'));
  mkdirSync(join(root, 'linked'));
  symlinkSync(tmpdir(), join(root, 'linked', 'node_modules'));
  writeFileSync(join(root, 'linked', 'package.json'), JSON.stringify({ scripts: { test: 'checker' } }));
  workspace = Workspace.open(root);
});

afterAll(() => {
  workspace[Symbol.dispose]();
  rmSync(root, { recursive: true, force: true });
});

async function fingerprintOf(
  line: string,
  cwd = '',
): Promise<{ files: string[]; unknown: string; notes: string[] }> {
  const { parts } = await readLine(line, { workspace, cwd });
  const found = await fingerprint(parts, workspace);
  const executions = found.parts.flatMap(({ execution }) => execution ?? []);
  const paths = executions.flatMap((execution) => execution.files.map(({ path }) => path));
  return {
    files: paths.filter((path) => !path.startsWith('program ')),
    unknown: executions.flatMap((execution) => execution.unknown ?? []).join(' '),
    notes: found.notes.map(englishText),
  };
}

const npm = ['.npmrc', 'package.json', 'tools/shell'];
const shell = ['deep.sh', 'lib.sh', 'run.sh', 'tools/shell'];

test.each<[string, string[]]>([
  ['ls', []],
  ['touch a', []],
  ['sh run.sh', shell],
  ['bash -euo pipefail run.sh', shell],
  ['./run.sh', shell],
  ['timeout 5 sh run.sh', shell],
  ['. ./lib.sh', ['deep.sh', 'lib.sh']],
  ['node tools/safe.js', ['tools/safe.js']],
  ['node --test tools/safe', ['tools/safe.js']],
  ['python3 -m mod', ['mod.py']],
  ['python3 -Im mod', ['mod.py']],
  ['python3 -mpkg', ['pkg/__init__.py', 'pkg/__main__.py']],
  ['python3 -m pkg.run', ['pkg/__init__.py', 'pkg/run.py']],
  ['pytest', ['pyproject.toml', 'tests/unit/conftest.py']],
  ['python3 -m pytest', ['pyproject.toml', 'tests/unit/conftest.py']],
  ['npm run build', [...npm, 'package.json build', 'tools/build.js']],
  [
    'npm test',
    [
      ...npm,
      'node_modules/.bin/checker',
      'package.json build',
      'package.json pretest',
      'package.json test',
      'tools/build.js',
    ],
  ],
  [
    'npm run all',
    [
      ...npm,
      'node_modules/.bin/linter',
      'package.json all',
      'package.json build',
      'package.json lint',
      'tools/build.js',
    ],
  ],
  ['npm run moved', [...npm, 'package.json moved', 'sub/Makefile']],
  ['npm run loop', [...npm, 'package.json loop']],
  ['make', ['Makefile', 'common.mk', ...shell]],
  ['make -C sub', ['sub/Makefile']],
  ['make -sf other.mk', ['other.mk']],
  ['make --makefile=other.mk', ['other.mk']],
  ['just all', ['deep.sh', 'justfile', 'more.just']],
  ['task docs', ['Taskfile.yml', 'tasks/Docs.yml', 'tools/safe.js']],
  ['node app', ['app/lib/start.js', 'app/package.json']],
  ['bun test', ['.npmrc', 'package.json', 'tools/shell']],
  ['cargo build', ['.cargo/config.toml', 'Cargo.toml', 'crates/a/Cargo.toml', 'crates/a/build.rs']],
  ['./gradlew build', ['gradle/wrapper/gradle-wrapper.properties', 'gradlew']],
  ['git commit', ['deep.sh', 'git settings', 'hook hooks/pre-commit', 'lib.sh']],
  ['git go', [...shell, 'git settings']],
])('%s', async (line, expected) => {
  const { files: found, unknown } = await fingerprintOf(line);
  expect({ found: found.toSorted(), unknown }).toEqual({ found: expected.toSorted(), unknown: '' });
});

describe('is not known', () => {
  test.each([
    ['npm run --loglevel build odd', 'What --loglevel takes is not known'],
    ['npm constructor', 'What npm constructor runs is not known'],
    ['npm test --script-shell=./tools/safe.js', 'decides what it starts'],
    ['pnpm deploy', 'What pnpm deploy runs is not known'],
    ['npm run odd', 'which program it starts'],
    ['npm run hidden', 'It sets PATH'],
    ['npm run none', 'package.json has no script none'],
    ['node --title tools/safe.js tools/build.js', 'Which script node runs'],
    ['bash --pretty-print run.sh', 'runs its input as code'],
    ['make --eval=all:', 'reads as rules'],
    ['make --fil other.mk', 'What --fil makes of it is not known'],
    ['make SHELL=./tools/shell', 'decides what make starts'],
    ['sh outside.sh', 'leads out of the workspace'],
    ['sh none.sh', 'There is no file none.sh'],
    ['go generate', 'Which lines of the sources'],
    ['perl -I lib x.pl', 'Which script perl runs'],
  ])('%s', async (line, reason) => {
    expect((await fingerprintOf(line)).unknown).toContain(reason);
  });

  test('a script whose programs lie outside of the workspace', async () => {
    expect((await fingerprintOf('npm test', 'linked')).unknown).toContain('leads out of the workspace');
  });
});

test('a link from the machine’s programs back into the workspace is pointed out, and its file printed', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'codelab-bin-'));
  symlinkSync(join(root, 'tools', 'shell'), join(bin, 'linked-tool'));
  const { PATH = '' } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  try {
    const { files: found, notes } = await fingerprintOf('linked-tool');
    expect({ found, notes }).toEqual({
      found: ['tools/shell'],
      notes: ['linked-tool is a program of this workspace: tools/shell'],
    });
  } finally {
    process.env.PATH = PATH;
    rmSync(bin, { recursive: true });
  }
});

test('people see texts of scripts and settings that steer, and no token', async () => {
  const { notes } = await fingerprintOf('npm test');
  expect(notes).toEqual([
    '.npmrc sets script-shell: ./tools/shell',
    'npm run pretest runs: npm run -s build',
    'npm run build runs: node tools/build.js',
    'tools/build.js: 1',
    'npm test runs: checker --fast',
  ]);
});

test('what would hide something in a text is made visible', async () => {
  const body = `echo a${' '.repeat(300)}; echo \u202eb\n#${'x'.repeat(2000)}\ntouch evil`;
  writeFileSync(join(root, 'tools', 'package.json'), JSON.stringify({ scripts: { start: body } }));
  const [, note] = (await fingerprintOf('npm start', 'tools')).notes;
  expect(note).toMatch(
    /^npm start runs: echo a ⟨300 blanks⟩ ; echo ⟨U\+202E⟩b⏎#x+ ⟨\d+ characters⟩ x+⏎touch evil$/,
  );
});
