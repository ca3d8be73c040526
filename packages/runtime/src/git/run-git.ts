// Runs the trusted git program on the workspace's repository so that nothing the repository names is executed: find the repository → read
// its settings → disarm every setting that would run something → run.
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { isWithin, type StateFolder, stateFolderError, statePlaces } from '../workspace/state-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findRepository, type Repository, realOf, repositoryElsewhere } from './find-repository.ts';
import { gitFailure } from './git-failure.ts';
import { findGit, type ProgramRun, runProgram } from './run-program.ts';
import { disarm, type GitSettings, neutralSettings, readGitSettings } from './settings.ts';

/**
 * Commands that were checked for what they execute; callers must not pass options that execute something. `diff` is not among them,
 * because it rewrites the index, and compares any two files when git finds no repository.
 */
type GitCommand =
  | 'add'
  | 'branch'
  | 'cat-file'
  | 'check-attr'
  | 'check-ref-format'
  | 'commit'
  | 'commit-tree'
  | 'diff-files'
  | 'diff-index'
  | 'diff-tree'
  | 'for-each-ref'
  | 'hash-object'
  | 'log'
  | 'ls-files'
  | 'ls-tree'
  | 'merge'
  | 'merge-tree'
  | 'read-tree'
  | 'rev-parse'
  | 'rm'
  | 'status'
  | 'switch'
  | 'symbolic-ref'
  | 'update-index'
  | 'update-ref'
  | 'worktree'
  | 'write-tree';

type GitRequest = {
  workspace: Workspace;
  args: readonly [GitCommand, ...string[]];
  signal: AbortSignal;
  /** Output beyond this stops git; the result says so. */
  maxBytes?: number;
  input?: string | Buffer;
  /** The command changes the repository, so it may wait for git's locks and take them. */
  isChange?: boolean;
  /** An index file other than the repository's own. */
  index?: string;
};

export type GitRun = ProgramRun & {
  repository: Repository;
  /** Names of the filters that are configured in the repository; none of them was run. */
  filters: ReadonlySet<string>;
};

const defaultBytes = 64 * 1024 * 1024;
const timeoutMs = 120_000;
const guard = 'codelab.guard';
const maxDisarmed = 1000;

const comparing = [
  '--no-relative',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--submodule=short',
];

// Options for every run of these commands: settings alone cannot switch off named diff drivers.
const always: Partial<Record<GitCommand, readonly string[]>> = {
  'diff-files': comparing,
  'diff-index': comparing,
  'diff-tree': comparing,
  log: ['--no-ext-diff', '--no-textconv', '--no-color', '--no-show-signature', '--no-mailmap', '--no-notes'],
  status: ['--ignore-submodules=dirty'],
  commit: ['--no-gpg-sign', '--no-verbose'],
  switch: ['--no-recurse-submodules', '--no-guess'],
};

export async function runGit(request: GitRequest): Promise<GitRun> {
  const { workspace, args, maxBytes = defaultBytes, input, isChange = false, index } = request;
  // Throws when the workspace folder itself was moved or replaced: git would run in whatever is there now.
  workspace.locate('.', { followLast: true, access: 'read', pathChars: 1 })[Symbol.dispose]();
  const { real: root, state } = workspace.root;
  const repository = findRepository(root);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  const start = (settings: readonly (readonly [string, string])[], command: Parameters<typeof spawnGit>[2]) =>
    spawnGit({ program: findGit(root), repository, signal, isChange }, settings, command);
  const settings = await readGitSettings(repository, (maxBytes) =>
    start([...neutralSettings, [guard, 'on']], {
      args: ['config', '--list', '-z', '--show-origin'],
      maxBytes,
    }),
  );
  check(repository, settings);
  if (state !== undefined) {
    const places = placesIn(repository, state);
    const listing = { args: ['ls-files', '-z', '--', ...places], maxBytes: 1 };
    const isTracked = places.length > 0 && (await start(neutralSettings, listing)).stdout.length > 0;
    // git would show, record or check out files of the state folder, which no tool may reach.
    if (isTracked) throw stateFolderError();
  }
  const [command, ...rest] = args;
  const ran = await start([...neutralSettings, ...disarmed(settings)], {
    args: [command, ...(always[command] ?? []), ...rest],
    maxBytes,
    ...(input === undefined ? {} : { input }),
    ...(index === undefined ? {} : { index }),
  });
  return { ...ran, repository, filters: filtersOf(settings) };
}

function placesIn({ top }: Repository, state: StateFolder): string[] {
  const places = statePlaces(state).filter((place) => isWithin(place, top));
  return places.map((place) => place.slice(top === '/' ? 1 : top.length + 1));
}

/** Like `runGit`, for a command that must succeed and whose output must be complete. */
export async function mustGit(request: GitRequest): Promise<GitRun> {
  const ran = await runGit(request);
  if (ran.exitCode !== 0 || ran.isCut) throw gitFailure(ran);
  return ran;
}

type Where = { program: string; repository: Repository; signal: AbortSignal; isChange: boolean };

function spawnGit(
  { program, repository, signal, isChange }: Where,
  settings: readonly (readonly [string, string])[],
  command: { args: readonly string[]; maxBytes: number; input?: string | Buffer; index?: string },
): Promise<ProgramRun> {
  const { args, index, ...options } = command;
  return runProgram({
    program,
    args: ['--no-pager', '--literal-pathspecs', ...args],
    cwd: repository.top,
    env: {
      ...environment(repository),
      ...(isChange ? {} : { GIT_OPTIONAL_LOCKS: '0' }),
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      ...asPairs(settings),
    },
    signal,
    ...options,
  });
}

// The environment starts empty, so no GIT_ variable of the parent process applies.
function environment({ top }: Repository): Record<string, string> {
  const { XDG_CONFIG_HOME } = process.env;
  return {
    ...identity(),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: process.env.HOME ?? homedir(),
    ...(XDG_CONFIG_HOME ? { XDG_CONFIG_HOME } : {}),
    LC_ALL: 'C',
    // core.worktree could name another folder, and git could search further up.
    GIT_WORK_TREE: top,
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_SSH_COMMAND: 'false',
  };
}

// The repository's settings do not decide the author of a commit.
function identity(): Record<string, string> {
  const names = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function asPairs(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const pairs: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [i, [key, value]] of settings.entries()) {
    pairs[`GIT_CONFIG_KEY_${i}`] = key;
    pairs[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return pairs;
}

function check({ gitDirectory, top, mustNameTop }: Repository, settings: GitSettings): void {
  if (!settings.some(({ key }) => key === guard)) {
    throw new ToolError('GIT_ERROR', 'This git is too old to be used safely. Install git 2.31 or newer.', {
      reason: 'version',
    });
  }
  if (!mustNameTop) return;
  const worktree = settings.findLast(({ key }) => key === 'core.worktree')?.value;
  if (worktree === undefined || realOf(resolve(gitDirectory, worktree)) !== top) throw repositoryElsewhere();
}

function disarmed(settings: GitSettings): (readonly [string, string])[] {
  const overrides = new Map<string, string>();
  for (const { key, isExact } of settings) {
    const harmless = disarm(key);
    if (harmless === undefined) continue;
    if (!isExact || overrides.size >= maxDisarmed) {
      throw new ToolError(
        'GIT_ERROR',
        'The git settings of this repository cannot be made safe. Remove the filters in `.git/config`.',
        { reason: 'settings' },
      );
    }
    overrides.set(...harmless);
  }
  return [...overrides];
}

function filtersOf(settings: GitSettings): Set<string> {
  const used = settings.filter(
    ({ key, value }) => /^filter\..+\.(clean|smudge|process)$/s.test(key) && value !== '',
  );
  return new Set(used.map(({ key }) => key.slice('filter.'.length, key.lastIndexOf('.'))));
}
