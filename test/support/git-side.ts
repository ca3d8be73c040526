// The real git as a reference: makes diffs of trees, and applies patches to them in a separate folder.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { quotePath } from '../../packages/runtime/src/patch/unified-diff.ts';
import type { Tree } from './apply-to-tree.ts';
import type { GitCase } from './git-cases.ts';

export type GitSide = Disposable & {
  diff(gitCase: GitCase): string;
  /** The tree git makes of it; null when git refuses. */
  apply(patch: string, tree: Tree, flags: readonly string[]): Tree | null;
};

/** All cases live in one repository, each in its folder, as two commits. */
export function createGitSide(cases: readonly GitCase[]): GitSide {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-git-'));
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  const git = (...args: string[]): string => must(runGit(repository, args));
  git('init', '--quiet');
  must(runGit(repository, ['fast-import', '--quiet'], commitOf('before', cases) + commitOf('after', cases)));
  let applied = 0;
  return {
    diff({ id, options }) {
      const range = [`before:${id}`, `after:${id}`];
      return git('-c', `core.quotePath=${Number(id.slice(1)) % 2 === 0}`, 'diff', ...options, ...range);
    },
    apply(patch, tree, flags) {
      const place = join(folder, `applied-${applied++}`);
      writeTree(place, tree);
      const { status } = runGit(place, ['apply', '--whitespace=nowarn', ...flags, '-'], patch);
      const result = status === 0 ? readTree(place) : null;
      rmSync(place, { recursive: true });
      return result;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function runGit(cwd: string, args: readonly string[], input = ''): SpawnSyncReturns<string> {
  // The developer's own settings must not decide what the test sees.
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_DIR: undefined,
  };
  const fixed = ['-c', 'core.autocrlf=false', '-c', 'core.fsync=none', '-c', 'gc.auto=0'];
  return spawnSync('git', [...fixed, ...args], { cwd, input, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function must({ status, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** The input of `git fast-import`: a hundred times faster than adding files one by one. */
function commitOf(side: 'before' | 'after', cases: readonly GitCase[]): string {
  const parts = [`commit refs/heads/${side}\ncommitter x <x> 0 +0000\ndata 0\n`];
  for (const gitCase of cases)
    for (const [path, { text, mode }] of gitCase[side]) {
      const name = quotePath(`${gitCase.id}/${path}`);
      parts.push(`M ${mode.toString(8)} inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    }
  return parts.join('');
}

function writeTree(place: string, tree: Tree): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [path, { text, mode }] of tree) {
    const file = join(place, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (mode === 0o100755) chmodSync(file, 0o755);
  }
}

function readTree(place: string): Tree {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() || entry.isSymbolicLink(),
  );
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink())
        return [relative(place, file), { text: readlinkSync(file), mode: 0o120000 }];
      const isExecutable = (statSync(file).mode & 0o100) !== 0;
      return [
        relative(place, file),
        { text: readFileSync(file, 'utf8'), mode: isExecutable ? 0o100755 : 0o100644 },
      ];
    }),
  );
}
