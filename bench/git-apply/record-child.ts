// Stands in for `git` in git's own test scripts: runs the real git, and records input and result of every `git apply`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const {
  LOCKSTEP_GIT: git = 'git',
  LOCKSTEP_RECORDS: records = '',
  LOCKSTEP_SCRIPT: script = '',
} = process.env;
const args = process.argv.slice(2);
const cwd = process.cwd();
const root = worktree();
const patches = args.slice(1).filter((arg) => !arg.startsWith('-') || arg === '-');
const readsInput = patches.length === 0 || patches.includes('-');
const input = readsInput ? readFileSync(0) : undefined;
const patch = Buffer.concat(
  patches.length === 0 ? [input ?? Buffer.alloc(0)] : patches.map((name) => contentOf(name)),
);
const folder = mkdtempSync(join(records, 'call-'));
keepTree('before');
const { status, stdout, stderr } = spawnSync(git, args, { input, maxBuffer: 2 ** 28 });
keepTree('after');
// Scripts redirect git's output into files of the same tree, so it is written only after the tree was recorded.
writeSync(1, stdout);
writeSync(2, stderr);
writeFileSync(join(folder, 'patch'), patch);
const record = {
  script,
  args,
  folder: relative(root, cwd),
  settings: settings(),
  status,
};
writeFileSync(join(folder, 'call.json'), JSON.stringify(record));
process.exit(status ?? 1);

function worktree(): string {
  const { stdout } = spawnSync(git, ['rev-parse', '--show-toplevel'], { encoding: 'utf8' });
  return stdout.trim() === '' ? cwd : resolve(stdout.trim());
}

function contentOf(name: string): Buffer {
  try {
    return name === '-' ? (input ?? Buffer.alloc(0)) : readFileSync(name);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Settings and variables that change the effect of a call without options. */
function settings(): string[] {
  const { stdout } = spawnSync(git, ['config', '--get-regexp', '^(apply\\.|core\\.autocrlf)'], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => line !== '');
}

function keepTree(name: 'before' | 'after'): void {
  const place = join(folder, name);
  mkdirSync(place);
  cpSync(root, place, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (source) => source === root || basename(source) !== '.git',
  });
}
