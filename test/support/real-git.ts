// The real git as a developer would run it, for making repositories that the tools are then tried on.
import { spawnSync } from 'node:child_process';

export type RealGit = (...args: string[]) => string;

/** Runs git in a folder; throws its message when it fails. */
export function realGit(cwd: string, env: Record<string, string> = {}): RealGit {
  return (...args) => {
    const ran = spawnSync('git', args, { cwd, env: { ...settings, ...env }, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  };
}

/** A new repository whose commits have an author. */
export function newRepository(cwd: string): RealGit {
  const git = realGit(cwd);
  git('init', '--quiet', '--initial-branch=main', '.');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  return git;
}

// The developer's own settings must not decide what the test sees.
const settings = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
};
