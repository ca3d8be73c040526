// Code that a command runs without naming it plainly: remade makefiles, settings behind options, scripts behind other programs, and decoys.
// Each is changed after the human has looked, and needs a new approval.
import { appendFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Attack,
  all,
  type Change,
  expectAskedAgain,
  git,
  write,
} from '../support/changed-after-approval.ts';
import { processBench } from '../support/process-bench.ts';

const manifest = (scripts: Record<string, string>, extra: object = {}): string =>
  JSON.stringify({ name: 'x', version: '1.0.0', scripts, ...extra });

const good = '#!/bin/sh\ntrue\n';
const evil = '#!/bin/sh\ntouch evil\n';
const evilRule = 'X := $(shell touch evil)\n';
const evilCode = 'require("fs").writeFileSync("evil", "")\n';
const goals = 'all:\n\t@true\n';
const npmTest = (test: string): Record<string, string> => ({ 'package.json': manifest({ test }) });
const script = write('x.sh', good);
const install = 'npm install --offline --no-audit';
const part = (scripts: object): string => JSON.stringify({ name: 'a', version: '1.0.0', scripts });
const hooksAt =
  (value: string): Change =>
  (root) =>
    appendFileSync(join(root, '.git/config'), `[core]\n\thooksPath = ${value}\n`);

const attacks: Attack[] = [
  [
    'a makefile that is remade from Makefile.sh',
    { Makefile: goals },
    'make',
    all(write('Makefile.sh', 'all:\n\ttouch evil\n'), (root) => utimesSync(join(root, 'Makefile'), 1, 1)),
  ],
  [
    'an include in folders that a pattern names',
    { Makefile: `include */r.mk\n${goals}`, 'a/r.mk': '' },
    'make',
    write('a/r.mk', evilRule),
  ],
  [
    'an include with a class of characters',
    { Makefile: `include r.[m]k\n${goals}`, 'r.mk': '' },
    'make',
    write('r.mk', evilRule),
  ],
  [
    'an include after a tab',
    { Makefile: `\tinclude r.mk\n${goals}`, 'r.mk': '' },
    'make',
    write('r.mk', evilRule),
  ],
  [
    'an include in an eval',
    { Makefile: `$(eval include r.mk)\n${goals}`, 'r.mk': '' },
    'make',
    write('r.mk', evilRule),
  ],
  [
    'a script that make runs while it reads',
    { Makefile: `X := $(shell sh x.sh)\n${goals}` },
    'make',
    write('x.sh', evil),
    script,
  ],
  [
    'a makefile behind a shortened option',
    { 'x.mk': goals },
    'make --makefil=x.mk',
    write('x.mk', 'all:\n\ttouch evil\n'),
  ],
  [
    'a file with variables for node',
    { 'x.js': '1\n', '.env': 'A=1\n', 'e.js': evilCode },
    'node --env-file=.env x.js',
    write('.env', 'NODE_OPTIONS=--require=./e.js\n'),
  ],
  [
    'a reporter of node’s tests',
    { 'x.js': '1\n', 'r.cjs': '' },
    'node --test --test-reporter=./r.cjs x.js',
    write('r.cjs', evilCode),
  ],
  [
    'a folder beside a file that node would not take',
    { 'pkg/index.js': '1\n', 'pkg.cjs': '1\n' },
    'node pkg',
    write('pkg/index.js', evilCode),
  ],
  [
    'the main file behind another "main"',
    { 'pkg/package.json': '{"x":{"main":"a.js"},"main":"b.js"}', 'pkg/a.js': '', 'pkg/b.js': '' },
    'node pkg',
    write('pkg/b.js', evilCode),
  ],
  [
    'a folder that python is given, beside a script of another language',
    { 'pkg/__main__.py': '', 'pkg.js': '' },
    'python3 pkg',
    write('pkg/__main__.py', 'open("evil", "w")\n'),
  ],
  [
    'a module that takes the place of a package',
    { a: '{}' },
    'python3 -m json.tool a',
    write('json.py', 'open("evil", "w")\n'),
  ],
  [
    'a program for awk',
    { 'p.awk': 'BEGIN {}\n' },
    'awk -f p.awk',
    write('p.awk', 'BEGIN { system("touch evil") }\n'),
  ],
  ['a script for sed', { 'p.sed': 'p\n', a: 'x\n' }, 'sed -f p.sed a', write('p.sed', 'e touch evil\n')],
  ['a script that xargs starts', npmTest('echo a | xargs ./x.sh'), 'npm test', write('x.sh', evil), script],
  ['a script that stdbuf starts', npmTest('stdbuf -o0 sh x.sh'), 'npm test', write('x.sh', evil), script],
  ['a script that a shell is fed', npmTest('sh < x.sh'), 'npm test', write('x.sh', evil), script],
  [
    'a setting that a variable names',
    { ...npmTest('MAKEFILES=e.mk make'), Makefile: goals, 'e.mk': '' },
    'npm test',
    write('e.mk', evilRule),
  ],
  [
    'the configuration of a program that is in no table',
    { ...npmTest('next build'), 'node_modules/.bin/next': good, 'next.config.js': '' },
    'npm test',
    write('next.config.js', evilCode),
  ],
  [
    'a shell behind a shortened option',
    npmTest('true'),
    'npm test --script-shel=./x.sh',
    write('x.sh', evil),
    script,
  ],
  [
    'a script of another package',
    { 'package.json': manifest({}, { workspaces: ['a'] }), 'a/package.json': part({ test: 'true' }) },
    'npm -w a test',
    write('a/package.json', part({ test: 'touch ../evil' })),
  ],
  [
    'the dependencies that are installed',
    { 'package.json': manifest({}), 'a/package.json': part({ postinstall: 'touch ../evil' }) },
    install,
    write('package.json', manifest({}, { dependencies: { a: 'file:./a' } })),
  ],
  [
    'a script around one that is not there',
    { 'package.json': manifest({}) },
    install,
    write('package.json', manifest({ preprepare: 'touch evil' })),
  ],
  [
    'a planted binding.gyp',
    { 'package.json': manifest({}) },
    install,
    write('binding.gyp', '{"targets": [{"target_name": "<!(touch evil)"}]}'),
  ],
  [
    'hooks at a path with a comment after it',
    {},
    'git commit -q --allow-empty -m x',
    write('h/pre-commit', evil),
    all(git, hooksAt('h ; ours'), write('h/pre-commit', good)),
  ],
  [
    'hooks at a path that is quoted in part',
    {},
    'git commit -q --allow-empty -m x',
    write('hx/pre-commit', evil),
    all(git, hooksAt('"h"x'), write('hx/pre-commit', good)),
  ],
  [
    'a script that git is to run',
    {},
    'git rebase --exec ./x.sh HEAD~1',
    write('x.sh', evil),
    all(git, script),
  ],
];

test.each(attacks)('%s', async (_name, ...attack) => {
  await expectAskedAgain(...attack);
});

test('a folder of the script that is set twice is not taken for the first one', async () => {
  const files = {
    'x.sh': 'DIR="$(cd "$(dirname "$0")" && pwd)"\nDIR=$DIR/b\n. "$DIR/lib.sh"\n',
    'lib.sh': '',
    'b/lib.sh': '',
  };
  const unknown: (string | undefined)[] = [];
  await using bench = await processBench({
    files,
    human: ({ plan }) => {
      unknown.push(plan.command?.parts[0]?.execution?.unknown);
      return { kind: 'reject' };
    },
  });
  await bench.run('sh x.sh');
  expect(unknown).toEqual(['It is unknown before the run which script it runs.']);
});
