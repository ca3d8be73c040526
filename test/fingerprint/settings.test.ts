// Settings that run code: what test runners, linters and builds load by themselves, and what their settings name. Each is changed after
// the human has looked, and has to be asked about again.
import { test } from 'vitest';
import { type Attack, all, expectAskedAgain, write } from '../support/changed-after-approval.ts';

const evilCode = 'require("fs").writeFileSync("evil", "")\n';
const evilPython = 'open("evil", "w")\n';
const tool = (name: string, extra: object = {}): Record<string, string> => ({
  'package.json': JSON.stringify({ name: 'x', scripts: { test: name }, ...extra }),
  [`node_modules/.bin/${name}`]: '#!/bin/sh\n',
});
const setup = write('setup.js', '1\n');
const changeSetup = write('setup.js', evilCode);
const crate = '[package]\nname = "x"\nversion = "0.1.0"\n';

const attacks: Attack[] = [
  [
    'a conftest.py below a folder named target',
    { 't.py': '' },
    'pytest',
    write('target/conftest.py', evilPython),
  ],
  [
    'one in a folder that is given',
    { 'build/in/t.py': '' },
    'pytest build/in/t.py',
    write('build/conftest.py', evilPython),
  ],
  [
    'one below a hidden folder that is given',
    { '.t/in/t.py': '' },
    'python3 -m pytest .t',
    write('.t/in/conftest.py', evilPython),
  ],
  [
    'one in a folder that settings name',
    { 'pytest.ini': '[pytest]\ntestpaths = dist/tests\n', 'dist/tests/t.py': '' },
    'pytest',
    write('dist/tests/conftest.py', evilPython),
  ],
  [
    'one where other folders are passed by',
    { 'tox.ini': '[pytest]\nnorecursedirs = none\n' },
    'pytest',
    write('venv/conftest.py', evilPython),
  ],
  [
    'one beside a false virtual environment',
    { 'e/pyvenv.cfg': '' },
    'pytest',
    write('e/conftest.py', evilPython),
  ],
  ['one for poetry', { 'pyproject.toml': '' }, 'poetry run pytest', write('target/conftest.py', evilPython)],
  ['a script that uv runs', { 'x.py': '' }, 'uv run x.py', write('x.py', evilPython)],
  ['a script that direnv runs', { 'x.sh': '' }, 'direnv exec . sh x.sh', write('x.sh', 'touch evil\n')],
  ['the .envrc for direnv', { '.envrc': '' }, 'direnv exec . true', write('.envrc', 'touch evil\n')],
  [
    'a build script of another name',
    { 'Cargo.toml': `${crate}build = "tools/b.rs"\n`, 'tools/b.rs': '' },
    'cargo build --offline',
    write('tools/b.rs', 'fn main() {}\n'),
  ],
  [
    'a build script of a package in a folder named build',
    { 'Cargo.toml': '[workspace]\nmembers = ["build"]\n', 'build/Cargo.toml': crate },
    'cargo build --offline',
    write('build/build.rs', 'fn main() {}\n'),
  ],
  [
    'the wrapper that settings of cargo name',
    { 'Cargo.toml': crate, '.cargo/config.toml': '[build]\nrustc-wrapper = "./w.sh"\n', 'w.sh': '' },
    'cargo build --offline',
    write('w.sh', 'touch evil\n'),
  ],
  [
    'a module that settings of jest name',
    { ...tool('jest'), 'jest.config.js': 'module.exports = { setupFiles: ["<rootDir>/setup.js"] }\n' },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'one that the manifest names',
    tool('jest', { jest: { setupFiles: ['./setup'] } }),
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'one that settings of vitest import',
    {
      ...tool('vitest'),
      'vitest.config.ts': 'import x from "./lib/a.ts";\n',
      'lib/a.ts': 'import "../setup.js";\n',
    },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'one that settings of mocha require',
    { ...tool('mocha'), '.mocharc.yml': 'require: setup.js\n' },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'a plugin of eslint',
    { ...tool('eslint'), 'eslint.config.mjs': "import p from './setup.js';\n" },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'a plugin of prettier',
    { ...tool('prettier'), '.prettierrc': '{"plugins": ["./setup.js"]}' },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'a module that settings of ts-node require',
    { ...tool('ts-node'), 'tsconfig.json': '{"ts-node": {"require": ["./setup.js"]}}' },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'a plugin of webpack',
    { ...tool('webpack'), 'webpack.config.js': 'require("./setup")\n' },
    'npm test',
    changeSetup,
    setup,
  ],
  [
    'a program behind a script in node_modules/.bin',
    {
      ...tool('checker'),
      'node_modules/.bin/checker':
        '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node "$basedir/../checker/c.js" "$@"\n',
      'node_modules/checker/c.js': '',
    },
    'npm test',
    write('node_modules/checker/c.js', evilCode),
  ],
  [
    'a script that node runs by its name',
    { 'package.json': '{"scripts":{"x":"true"}}' },
    'node --run x',
    write('package.json', '{"scripts":{"x":"touch evil"}}'),
  ],
  ['a module that node is to import', { 'x.js': '' }, 'node --import ./setup.js x.js', changeSetup, setup],
  [
    'a module that node is to require, by a short option',
    { 'x.js': '' },
    'node -r ./setup x.js',
    changeSetup,
    setup,
  ],
  [
    'a source with a line for go generate',
    { 'go.mod': 'module x\n' },
    'go generate ./...',
    write('a.go', 'package a\n//go:generate touch evil\n'),
  ],
  [
    'a source that go runs',
    { 'go.mod': 'module x\n', 'a.go': '' },
    'go run a.go',
    write('a.go', 'package main\n'),
  ],
  [
    'a package of the workspace in a folder named dist',
    {
      'package.json': '{"workspaces":["dist"]}',
      'dist/package.json': '{"name":"d","scripts":{"test":"true"}}',
    },
    'npm test --workspaces',
    write('dist/package.json', '{"name":"d","scripts":{"test":"touch evil"}}'),
  ],
  [
    'an include in folders that builds fill',
    { Makefile: 'include */r.mk\nall:\n\ttrue\n', 'build/r.mk': '' },
    'make',
    write('build/r.mk', 'X := $(shell touch evil)\n'),
  ],
  [
    'the shell of yarn',
    { ...tool('true'), '.yarnrc.yml': 'yarnPath: ./tools/yarn.cjs\n' },
    'yarn test',
    write('tools/yarn.cjs', evilCode),
    all(write('tools/yarn.cjs', '')),
  ],
];

test.each(attacks)('%s', async (_name, ...attack) => {
  await expectAskedAgain(...attack);
});
