import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passedEnvironment } from './passed-environment.ts';

let folder: string;
let root: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'codelab-test-')));
  root = join(folder, 'work');
  for (const name of ['work/.venv', 'jdk', 'go/bin', 'go/pkg', 'go/src'])
    mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(root, '.venv'), join(folder, 'venv'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const none = { added: [], network: false };

test('toolchains are found, and their folders shown', () => {
  const from = {
    JAVA_HOME: join(folder, 'jdk'),
    GOPATH: join(folder, 'go'),
    PYENV_VERSION: '3.12',
    EDITOR: 'vi',
  };
  expect(passedEnvironment(root, none, from)).toEqual({
    env: { JAVA_HOME: join(folder, 'jdk'), GOPATH: join(folder, 'go'), PYENV_VERSION: '3.12' },
    places: [join(folder, 'jdk'), join(folder, 'go/bin'), join(folder, 'go/pkg')],
  });
});

test.each([
  ['in the workspace', () => join(root, '.venv')],
  ['by a link into the workspace', () => join(folder, 'venv')],
  ['with `..`', () => `${folder}/jdk/../work/.venv`],
  ['that is not there', () => join(folder, 'none')],
])('a toolchain %s is left out', (_what, path) => {
  expect(passedEnvironment(root, none, { VIRTUAL_ENV: path() })).toEqual({ env: {}, places: [] });
});

test.each([
  ...[
    'NPM_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASSWORD',
    'SSH_AUTH_SOCK',
    'DATABASE_URL',
    'OPENAI_API_KEY',
    'GH_PAT',
  ],
  ...[
    'PGPASSWORD',
    'SENTRY_DSN',
    'STRIPE_KEY',
    'MY_APIKEY',
    'SESSION_ID',
    'CARGO_HOME',
    'NODE_OPTIONS',
    'PYTHONPATH',
  ],
])('%s is not given to commands', (name) => {
  expect(passedEnvironment(root, none, { [name]: 'x' }).env).toEqual({});
});

test('what the user’s own file names exactly is given, a secret too; a `*` adds no secret', () => {
  const from = { APP_MODE: 'dev', APP_TOKEN: 'x', NPM_TOKEN: 'y', OTHER: 'z' };
  const envOf = (added: string[]): object => passedEnvironment(root, { added, network: false }, from).env;
  expect(envOf(['APP_*'])).toEqual({ APP_MODE: 'dev' });
  expect(envOf(['APP_*', 'NPM_TOKEN'])).toEqual({ APP_MODE: 'dev', NPM_TOKEN: 'y' });
});

test.each([
  'PATH',
  'HOME',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'GIT_DIR',
  'BASH_ENV',
  'CODELAB_HOME',
  'ENV',
  'TMPDIR',
])('%s is never given, whoever names it', (name) => {
  expect(
    passedEnvironment(root, { added: [name, `${name.slice(0, 2)}*`], network: true }, { [name]: '/x' }).env,
  ).toEqual({});
});

test.each([
  ['http://me:pw@proxy:3128/', 'http://proxy:3128/'],
  ['me:p@w@proxy:3128', 'proxy:3128'],
  ['socks5h://me@proxy', 'socks5h://proxy'],
  ['http://proxy:3128', 'http://proxy:3128'],
])('a proxy is given with the network alone, and without its login: %s', (value, expected) => {
  const from = { HTTPS_PROXY: value, http_proxy: value };
  expect(passedEnvironment(root, none, from).env).toEqual({});
  expect(passedEnvironment(root, { added: [], network: true }, from).env).toEqual({
    HTTPS_PROXY: expected,
    http_proxy: expected,
  });
});

test.each([
  ['the home', () => homedir()],
  ['what is around it', () => dirname(homedir())],
  ['everything', () => '/'],
  ['what is around the workspace', () => folder],
])('%s is not shown because a variable names it', (_what, path) => {
  expect(passedEnvironment(root, { added: ['DATA'], network: false }, { DATA: path() })).toEqual({
    env: { DATA: path() },
    places: [],
  });
});
