// The help of `codelab`, and its errors for unknown input.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialectNames } from '@codelab/dialects';
import { afterAll, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'codelab-cli-'));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('`codelab` alone, without a terminal and without input, says what there is', () => {
  expect(codelab('--model', 'demo')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('codelab --help'),
  });
});

test('--help lists only what exists, and every command has a help of its own', () => {
  const { code, stdout } = codelab('--help');
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/acp/);
  const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2}/gm)].map(([, name = '']) =>
    name.split(' '),
  );
  expect(names.length).toBeGreaterThan(10);
  const helps = allHelps();
  for (const name of names.map((words) => words.join(' ')))
    expect(helps[name]).toContain(`Usage: codelab ${name}`);
  for (const name of ['run', 'sessions list', 'config'])
    expect(codelab(...name.split(' '), '--help').stdout).toContain(`Usage: codelab ${name}`);
});

test('--version is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'apps', 'cli', 'package.json'), 'utf8'));
  expect(codelab('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  [['connect', 'ftp://x'], 'Give the address of a gateway'],
  [['acp'], '`codelab acp` is not available yet'],
  [['sessions', 'fork'], 'Run `codelab sessions fork --help` for usage.'],
  [['policy', 'add'], 'Run `codelab policy add --help` for usage.'],
  [['fly'], 'There is no command "fly"'],
  [['fly', '--help'], 'There is no command "fly"'],
  [['help', 'fly'], 'There is no command "fly"'],
  [['acp', '--help'], '`codelab acp` is not available yet'],
  [['sesions', '--help'], 'There is no command "sesions". Did you mean `codelab sessions`?'],
  [['docotr'], 'Did you mean `codelab doctor`?'],
  [['sessions', 'lsit'], 'Did you mean `codelab sessions list`?'],
  [['policy', 'fly'], 'There is no `codelab policy fly`'],
  [['tool'], 'Missing argument: NAME [JSON|-]'],
  [['tool', 'read_file', '{}', 'more'], '"more" is an unexpected argument'],
  [['tool', 'read_file', '--fast'], "Unknown option '--fast'"],
  [['tool', 'read_file', '--sesion', 'x'], "Unknown option '--sesion'. Did you mean --session?"],
  [['run', 'x', '--modle=demo'], 'Did you mean --model?'],
  [['--contine'], 'Did you mean --continue?'],
  [
    ['run', 'x', '--output', 'jsn'],
    '--output must be one of: text, json, stream-json, backend_only. Did you mean json?',
  ],
  [['tool', 'read_file', '--approve', 'maybe'], '--approve must be one of: ask, never, all'],
  [['tool', 'read_file', '--dialect', 'klingon'], `--dialect must be one of: ${dialectNames.join(', ')}`],
  [
    ['tool', 'read_file', '--profile', 'king'],
    '--profile must be one of: architect, ask, build, debug, explore, general, plan.',
  ],
  [['tool', 'read_file', '--session', '../x'], '--session must be'],
  [['tool', 'read_file', '--timeout', 'soon'], '--timeout must be a number of seconds'],
  [['policy', 'add', '--id', 'x'], 'at least --id, --effect and --reason'],
])('%j is wrong usage: exit code 2, nothing on standard output', (args, message) => {
  expect(codelab(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

/** In one process: starting the program for each command would take seconds. */
function allHelps(): Record<string, string> {
  const script = `
    import { helpText } from './apps/cli/src/command-line/help-text.ts';
    import { cliCommands } from './apps/cli/src/commands.ts';
    const helps = {};
    for (const [name, { load }] of Object.entries(cliCommands))
      helps[name] = helpText(name, await load(), (_style, text) => text);
    process.stdout.write(JSON.stringify(helps));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: repository,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as Record<string, string>;
}

function codelab(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const launcher = join(repository, 'apps', 'cli', 'bin', 'codelab.js');
  const env = { ...process.env, CODELAB_HOME: join(scratch, 'home'), NO_COLOR: '1' };
  const options = { cwd: scratch, env, input: '', encoding: 'utf8' as const, timeout: 20_000 };
  const { status: code, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], options);
  return { code, stdout, stderr };
}
