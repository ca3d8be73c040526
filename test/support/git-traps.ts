// Repositories that try to run a program: every trap leaves a marker when it goes off.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealGit } from './real-git.ts';

export type Site = { root: string; git: RealGit /** A program that leaves the marker. */; program: string };

export type Trap = {
  name: string;
  set(site: Site): void;
  /** A plain git command that falls into it, to prove that it is one; none where git falls only in other company. */
  victim?: readonly string[];
  /** The trap is a filter for `.txt` files. */
  isFilter?: true;
};

const hookNames = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'post-rewrite',
];

const otherKeys = [
  'core.pager',
  'pager.log',
  'pager.status',
  'core.editor',
  'sequence.editor',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'credential.helper',
  'interactive.diffFilter',
  'merge.trap.driver',
  'alias.status',
  'trailer.trap.command',
  'hook.trap.command',
  'gpg.ssh.defaultKeyCommand',
  'remote.origin.vcs',
  'difftool.trap.cmd',
];

function setting(
  key: string,
  victim?: readonly string[],
  value = (program: string): string => program,
): Trap {
  return {
    name: key,
    set: ({ git, program }) => void git('config', key, value(program)),
    ...(victim && { victim }),
    ...(key.startsWith('filter.') && { isFilter: true }),
  };
}

const filtering = (program: string): string => `${program}; cat`;

export const gitTraps: readonly Trap[] = [
  setting('core.fsmonitor', ['status']),
  setting('diff.external', ['diff', 'HEAD~1']),
  setting('diff.trap.command', ['diff', 'HEAD~1']),
  setting('diff.trap.textconv', ['diff', 'HEAD~1']),
  setting('filter.trap.clean', ['diff'], filtering),
  setting('filter.trap.smudge', ['checkout', '--', 'a.txt'], filtering),
  setting('filter.trap.process', ['diff']),
  setting('core.sshCommand', ['ls-remote', 'ssh://127.0.0.1/x']),
  {
    name: 'every other setting that names a program',
    victim: ['commit', '--allow-empty'],
    set: ({ git, program }) => {
      for (const key of otherKeys) git('config', key, program);
    },
  },
  {
    name: 'gpg.program with signatures shown and made',
    victim: ['log'],
    set: ({ git, program }) => {
      git('config', 'gpg.program', program);
      for (const key of ['log.showSignature', 'commit.gpgSign']) git('config', key, 'true');
      const id = git('hash-object', '-t', 'commit', '-w', '--literally', signedCommit(git));
      git('update-ref', 'refs/heads/main', id.trim());
    },
  },
  {
    name: 'hooks',
    victim: ['commit', '--allow-empty', '-m', 'x'],
    set: ({ root, program }) => hooksIn(join(root, '.git', 'hooks'), program),
  },
  {
    name: 'core.hooksPath',
    victim: ['commit', '--allow-empty', '-m', 'x'],
    set: ({ root, git, program }) => {
      hooksIn(join(root, 'hooks'), program);
      git('config', 'core.hooksPath', 'hooks');
    },
  },
  {
    name: 'include.path of a tracked file',
    isFilter: true,
    victim: ['status'],
    set: ({ root, git, program }) => {
      writeFileSync(
        join(root, 'settings'),
        `[core]\n\tfsmonitor = ${program}\n[filter "trap"]\n\tclean = ${program}; cat\n`,
      );
      git('config', 'include.path', '../settings');
    },
  },
  {
    name: 'includeIf on the place of the repository',
    isFilter: true,
    victim: ['status'],
    set: ({ root, git, program }) => {
      writeFileSync(
        join(root, 'settings'),
        `[core]\n\tfsmonitor = ${program}\n[filter "trap"]\n\tprocess = ${program}\n`,
      );
      git('config', 'includeIf.gitdir:/.path', '../settings');
    },
  },
  {
    name: 'a filter whose name looks like an assignment',
    isFilter: true,
    victim: ['diff'],
    set: ({ root, git, program }) => {
      writeFileSync(join(root, '.git', 'info', 'attributes'), '*.txt filter=a=b.clean=\n');
      git('config', 'filter.a=b.clean=.clean', filtering(program));
    },
  },
  {
    name: 'settings of a submodule',
    victim: ['status'],
    set: ({ root, git, program }) => {
      const inner = join(root, 'sub');
      git('init', '--quiet', inner);
      const inside = (...args: string[]): string =>
        git('-C', inner, '-c', 'user.name=x', '-c', 'user.email=x', ...args);
      writeFileSync(join(inner, 'x.txt'), 'x\n');
      inside('add', '.');
      inside('commit', '--quiet', '-m', 'inner');
      git('add', 'sub');
      inside('config', 'core.fsmonitor', program);
      inside('config', 'filter.trap.clean', filtering(program));
      git('config', 'diff.submodule', 'diff');
      git('config', 'status.submoduleSummary', 'true');
      git('config', 'submodule.sub.ignore', 'none');
      writeFileSync(join(inner, '.git', 'info', 'attributes'), '* filter=trap\n');
      writeFileSync(join(inner, 'x.txt'), 'y\n');
    },
  },
];

/** A repository with changes of every kind, and files that every driver named `trap` is asked about. */
export function layTrap(trap: Trap, site: Site): void {
  const { root, git } = site;
  const writeText = (path: string, text: string): void => writeFileSync(join(root, path), text);
  writeText('.gitattributes', '*.txt filter=trap diff=trap merge=trap\n');
  for (const path of ['a.txt', 'b.txt', 'c.md', 'd.md']) writeText(path, 'one\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  git('checkout', '--quiet', '-b', 'other');
  writeText('c.md', 'other\n');
  git('commit', '--quiet', '-am', 'on other');
  git('checkout', '--quiet', 'main');
  writeText('b.txt', 'main\n');
  git('commit', '--quiet', '-am', 'second');
  writeText('e.md', 'new\n');
  git('add', 'e.md');
  trap.set(site);
  writeText('a.txt', 'changed\n');
  writeText('d.md', 'changed\n');
  writeText('f.md', 'unknown\n');
}

export function trapProgram(folder: string): { program: string; hasGoneOff: () => boolean } {
  const marker = join(folder, 'marker');
  const program = join(folder, 'trap.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\n`);
  chmodSync(program, 0o755);
  return { program, hasGoneOff: () => existsSync(marker) };
}

function hooksIn(folder: string, program: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of hookNames) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${program}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

/** A file that holds the last commit with a signature put in. */
function signedCommit(git: RealGit): string {
  const text = git('cat-file', 'commit', 'HEAD');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n eA==\n -----END PGP SIGNATURE-----\n';
  const path = git('rev-parse', '--absolute-git-dir').trim();
  writeFileSync(join(path, 'signed'), text.replace(/\n\n/, `\n${signature}\n`));
  return join(path, 'signed');
}
