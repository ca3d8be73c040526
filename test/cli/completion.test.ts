// Completions in a real bash: the script is loaded as a user loads it, and asked as the shell asks at a Tab.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = scratchFolder({ files: { 'src/a.txt': 'one\n', 'some file.txt': '' } });
const session = 'aaaa1111bbbb2222cccc3333dddd4444';
const bin = join(scratch.folder, 'bin');
const program = join(bin, 'codelab');
const env = { ...process.env, CODELAB_HOME: scratch.home, PATH: `${bin}:${process.env.PATH}` };

beforeAll(() => {
  mkdirSync(bin);
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${codelabProgram}' "$@"\n`);
  chmodSync(program, 0o755);
  const args = ['run', 'read $(touch pwned) src/a.txt', '--model', 'demo', '--session', session];
  expect(spawnSync(program, args, { cwd: scratch.root, env }).status).toBe(0);
});
afterAll(() => scratch[Symbol.dispose]());

function shell(program: string, script: string): string {
  const { stdout, stderr } = spawnSync(program, ['-c', script], { cwd: scratch.root, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

/** The completions of bash after each line, with the cursor at its end; bash also splits words at equals signs. */
function completionsOf(...lines: string[]): string[][] {
  const commands = lines.map((line) => {
    const words = line.split(/ |(?<==)|(?==)/);
    const quoted = words.map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _codelab; printf '%s\\n' "\${COMPREPLY[@]}"; echo ---`;
  });
  const printed = shell(
    'bash',
    `eval "$(codelab completion bash)"\ncomplete -p codelab >/dev/null\n${commands.join('\n')}`,
  );
  return printed
    .split('---\n')
    .slice(0, -1)
    .map((block) => block.split('\n').filter((word) => word !== ''));
}

describe('in bash', () => {
  test('commands, subcommands, options and their values come from the table of commands', () => {
    const [commands = [], group, options = [], choice, joined, split, rest, unknown] = completionsOf(
      'codelab ',
      'codelab sessions s',
      'codelab run --',
      'codelab run --output js',
      'codelab run x --approve=a',
      'codelab run --approve=',
      'codelab --workspace . audit v',
      'codelab nonsense x',
    );
    expect(commands).toEqual(expect.arrayContaining(['chat', 'run', 'sessions', 'config', 'completion']));
    expect(commands).not.toContain('sessions list');
    expect(group).toEqual(['show', 'settle']);
    expect(options).toEqual(expect.arrayContaining(['--model', '--workspace', '--help']));
    expect(choice).toEqual(['json']);
    expect(joined).toEqual(['ask', 'all']);
    expect(split).toEqual(['ask', 'never', 'all']);
    expect(rest).toEqual(['verify']);
    expect(unknown).toEqual([]);
  });

  test('sessions, settings, profiles, tools, models and paths are those of this machine; nothing is evaluated', () => {
    const [sessions, option, settings, profiles, tools, models, folders, files, shells] = completionsOf(
      'codelab sessions show ',
      'codelab undo --session a',
      'codelab config set policy.',
      'codelab run --profile pl',
      'codelab tool read_f',
      'codelab run --model d',
      'codelab serve --workspace s',
      'codelab serve --token-file so',
      'codelab completion z',
    );
    expect(sessions).toEqual(['aaaa1111']);
    expect(option).toEqual(['aaaa1111']);
    expect(settings).toEqual(['policy.mode', 'policy.rules']);
    expect(profiles).toEqual(['plan']);
    expect(tools).toEqual(['read_file']);
    expect(models).toEqual(['demo']);
    expect(folders).toEqual(['src']);
    expect(files).toEqual(['some file.txt']);
    expect(shells).toEqual(['zsh']);
    expect(shell('bash', 'ls')).not.toContain('pwned');
  });
});

const hasShell = (name: string): boolean => spawnSync(name, ['-c', 'true']).status === 0;

test.runIf(hasShell('zsh'))('zsh reads its script', () => {
  const script =
    'autoload -Uz compinit && compinit -D && eval "$(codelab completion zsh)" && print $_comps[codelab]';
  expect(shell('zsh', script)).toBe('_codelab\n');
});

test.runIf(hasShell('fish'))('fish offers what the table has', () => {
  const script = 'codelab completion fish | source; complete -C "codelab sessions sh"';
  expect(shell('fish', script)).toContain('show\tone session');
});
