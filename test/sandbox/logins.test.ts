// Settings of git and of cargo may hold logins: a command that nobody was asked about finds the settings, and no login.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backends, plantFile, type SandboxBench, sandboxBench } from '../support/sandbox-bench.ts';

const settings = `# ghp_TOKEN in a comment
[user]
	name = Ann \\"A\\" O'Neil
	email = ann@example.com
[alias]
	st = status -sb
	leak = !echo TOKEN
[core]
	excludesFile = ~/.gitignore
	sshCommand = ssh -o TOKEN
[branch "a.B"]
	rebase = true
[branch "quo\\"ted"]
	description = "one\\ntwo\\tthree"
[url "https://user:TOKEN@github.com/"]
	insteadOf = https://github.com/
[http]
	extraHeader = AUTHORIZATION: bearer TOKEN
[http "https://example.com/"]
	cookieFile = /x/TOKEN
[github]
	token = TOKEN
[sendemail]
	smtpPass = TOKEN
[credential]
	helper = "!f() { echo password=TOKEN; }; f"
[remote "o"]
	url = https://user:TOKEN@example.com/
[include]
	path = more.inc
[includeIf "gitdir:~/work/"]
	path = work.inc
`;
const everything =
  'cat ~/.gitconfig ~/more.inc ~/work.inc ~/.config/git/* ~/.cargo/config* 2>/dev/null; git config --list';

let bench: SandboxBench;
const home = (path: string, text: string): string => plantFile(join(bench.user, path), text);

describe.each(backends)('an unasked command (%s)', (backend) => {
  beforeEach(() => {
    bench = sandboxBench(backend);
  });
  afterEach(() => bench[Symbol.dispose]());

  test.each(['.gitconfig', '.config/git/config'])('has git’s settings in %s without logins', async (path) => {
    home(path, settings);
    home(join(path, '../more.inc'), '[init]\n\tdefaultBranch = trunk\n[http]\n\tproxy = http://u:TOKEN@p\n');
    home(join(path, '../work.inc'), '[user]\n\temail = TOKEN@work\n');
    const { stdout } = await bench.unasked(everything);
    expect(stdout).not.toContain('TOKEN');
    const lines = stdout.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'user.name=Ann "A" O\'Neil',
        'user.email=ann@example.com',
        'alias.st=status -sb',
        'core.excludesfile=~/.gitignore',
        'branch.a.B.rebase=true',
        'branch.quo"ted.description=one',
        'two\tthree',
        'init.defaultbranch=trunk',
      ]),
    );
  });

  test('commits with the settings behind a link', async () => {
    home('dotfiles/git', settings);
    symlinkSync('dotfiles/git', join(bench.user, '.gitconfig'));
    const { stdout } = await bench.unasked(
      'cat ~/.gitconfig ~/dotfiles/*; mkdir /tmp/r; cd /tmp/r && git init -q && git commit -q --allow-empty -m x && git log --format=%an',
    );
    expect(stdout).not.toContain('TOKEN');
    expect(stdout).toContain('Ann "A" O\'Neil\n');
  });

  test('finds settings of cargo, unless they hold a login', async () => {
    home('.cargo/config.toml', '[build]\njobs = 2\n');
    home('.cargo/config', '[registries.own]\ntoken = "TOKEN"\n');
    const { stdout } = await bench.unasked('cat ~/.cargo/config ~/.cargo/config.toml');
    expect(stdout).toBe('[build]\njobs = 2\n');
  });

  test('has no settings that can’t be read as git would', async () => {
    home('.gitconfig', `${settings}${'# TOKEN\n'.repeat(40_000)}`);
    expect((await bench.unasked(everything)).stdout).not.toContain('TOKEN');
  });
});
