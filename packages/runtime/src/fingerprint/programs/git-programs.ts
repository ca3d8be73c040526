// The programs that a git command would start from the repository: aliases, hooks, and programs named in settings.
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import {
  isInclude,
  type PlacedSetting,
  readConfig,
  readPlain,
  settingPath,
  steeringSetting,
} from '../../git/config-file.ts';
import { digest, digestJson } from '../../platform/digest.ts';
import { deeperStep, type Family, type FollowStep, quietStep } from '../step.ts';

const always = ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'fsmonitor-watchman'];
const committing = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
const applying = ['applypatch-msg', 'pre-applypatch', 'post-applypatch'];
const hooks: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    commit: [...committing, 'post-rewrite'],
    merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge', 'post-checkout'],
    pull: [
      'pre-merge-commit',
      'prepare-commit-msg',
      'commit-msg',
      'post-merge',
      'pre-rebase',
      'post-rewrite',
      'post-checkout',
    ],
    push: ['pre-push'],
    checkout: ['post-checkout'],
    switch: ['post-checkout'],
    worktree: ['post-checkout'],
    clone: ['post-checkout'],
    rebase: ['pre-rebase', 'post-rewrite', 'post-checkout', ...committing, ...applying],
    am: applying,
    'cherry-pick': committing,
    revert: committing,
  }),
);

// Commands that fetch from or push to another repository.
const transferring = /^(?:clone|fetch|ls-remote|pull|push|remote|submodule)$/;

export const runsGit: Family = (args, step) => {
  const { recorder, cwd } = step;
  const at = args.findIndex(
    (word) => word === undefined || !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word),
  );
  const [command, ...commandArgs] = at < 0 ? [] : args.slice(at);
  if (command === undefined || command.startsWith('-')) {
    recorder.giveUp('What git runs with this option is not known.');
    return;
  }
  if (
    /^(?:bisect|rebase|submodule|filter-branch|difftool|mergetool)$/.test(command) &&
    commandArgs.length > 1
  )
    recorder.giveUp('It may run what it is given.');
  const git = readGit(join(recorder.workspace.root.real, cwd));
  if (git === 'unreadable') recorder.giveUp('The settings of the repository can’t be read.');
  if (git === undefined || git === 'unreadable') return;
  const isTransfer = transferring.test(command);
  const names = git.settings.filter(
    ({ name }) => steeringSetting.test(name) || (isTransfer && name.startsWith('remote.')),
  );
  recorder.print(
    'git settings',
    digestJson([names.map(({ name, value }) => ({ name, value })), isTransfer ? git.remotes : []]),
  );
  const top = { ...step, cwd: insideOf(git.top, step) };
  for (const { name, value } of names) showSetting(name, value, top);
  const alias = git.settings.findLast(({ name }) => name === `alias.${command.toLowerCase()}`)?.value;
  if (alias !== undefined) followAlias(alias, commandArgs, alias.startsWith('!') ? top : step);
  for (const hook of git.hooks.filter((candidate) => isStarted(command, candidate.name)))
    followHook(hook, top);
  if (command === 'push') printReceiver([...commandArgs, ...git.urls], top);
  if (names.some(({ name }) => /^(?:filter|diff|merge)\..*\./.test(name)))
    for (const path of recorder.find(top.cwd ?? '', /^\.gitattributes$/)) recorder.file(path);
};

/** A folder as a workspace path; undefined when it is outside. */
function insideOf(folder: string, { recorder }: FollowStep): string | undefined {
  const { real } = recorder.workspace.root;
  if (folder === real) return '';
  return folder.startsWith(`${real}/`) ? folder.slice(real.length + 1) : undefined;
}

function showSetting(name: string, value: string, step: FollowStep): void {
  if (isInclude(name) || /^(?:url|credential|submodule|extensions|remote)\b/.test(name)) return;
  step.recorder.run(`git's ${name} is`, value);
  // A driver or an editor may be a script of the workspace.
  if (!name.startsWith('alias.')) step.followText(value, quietStep(deeperStep(step)));
}

/** A repository on this machine runs its own hooks when it is pushed to. */
function printReceiver(words: readonly (string | undefined)[], { recorder, cwd = '' }: FollowStep): void {
  for (const word of words) {
    if (word === undefined || !/[./]/.test(word) || /^-|:/.test(word.replace(/^file:\/\//, ''))) continue;
    const path = recorder.quietly().resolve(cwd, word.replace(/^file:\/\//, ''));
    for (const folder of path === undefined ? [] : ['hooks', '.git/hooks'].map((name) => `${path}/${name}`))
      for (const name of recorder.names(folder))
        if (!name.endsWith('.sample')) recorder.file(`${folder}/${name}`);
  }
}

function isStarted(command: string, hook: string): boolean {
  return always.includes(hook) || hooks.get(command)?.includes(hook) === true;
}

/** git starts hooks at the top of the repository. */
function followHook({ name, file, text }: Hook, step: FollowStep): void {
  const { recorder } = step;
  const path = insideOf(file, step) ?? file;
  recorder.print(`hook ${path}`, digest(text));
  recorder.run(`git's hook ${name}`, text.length <= 400 ? text.trim() : `${text.split('\n').length} lines`);
  step.followText(text, quietStep(deeperStep(step)), path === file ? undefined : path);
}

function followAlias(alias: string, aliasArgs: readonly (string | undefined)[], step: FollowStep): void {
  if (alias.startsWith('!')) step.followText(alias.slice(1), deeperStep(step));
  else if (step.depth < 5) step.follow(['git', ...alias.split(/\s+/), ...aliasArgs], deeperStep(step));
  else step.recorder.giveUp('An alias of git leads to itself.');
}

type Hook = { name: string; file: string; text: string };
type Git = {
  top: string;
  settings: readonly PlacedSetting[];
  hooks: readonly Hook[];
  /** Remotes in files, the form git had before remotes were settings. */
  remotes: readonly string[];
  urls: readonly string[];
};

function readGit(folder: string): Git | 'unreadable' | undefined {
  try {
    const gitFolder = findGit(folder);
    if (gitFolder === undefined) return undefined;
    const { gitFolder: worktreeFolder, shared, top } = gitFolder;
    const settings = [join(shared, 'config'), join(worktreeFolder, 'config.worktree')].flatMap(
      (path) => readConfig(path).settings,
    );
    const path = settings.findLast(({ name }) => name === 'core.hookspath')?.value;
    const at = path === undefined ? join(shared, 'hooks') : settingPath(path, top);
    // Husky's hook only calls the one beside its folder.
    const folders = path === undefined ? [at] : [at, dirname(at)];
    const names = [...new Set([...always, ...[...hooks.values()].flat()])];
    const read = folders.flatMap((folder) =>
      names.flatMap((name) => {
        const file = join(folder, name);
        const text = readPlain(file);
        return text === undefined ? [] : [{ name, file, text }];
      }),
    );
    const remotes = ['remotes', 'branches'].flatMap((folder) => filesIn(join(shared, folder)));
    const urls = settings
      .filter(({ name }) => /^remote\..*\.(?:push)?url$/.test(name))
      .map(({ value }) => value);
    return { top, settings, hooks: read, remotes, urls };
  } catch {
    return 'unreadable';
  }
}

/** Searches upwards as git does, also beyond the workspace. */
function findGit(folder: string): { gitFolder: string; shared: string; top: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const gitFolder = stat.isFile() ? pointed(path, /^gitdir: (.*)$/m, at) : path;
      const common = readPlain(join(gitFolder, 'commondir'));
      return {
        gitFolder: gitFolder,
        shared: common === undefined ? gitFolder : resolve(gitFolder, common.trim()),
        top: at,
      };
    }
    if (dirname(at) === at) return undefined;
  }
}

function pointed(path: string, pattern: RegExp, base: string): string {
  const target = pattern.exec(readPlain(path) ?? '')?.[1];
  if (target === undefined) throw new Error('not a pointer');
  return isAbsolute(target) ? target : resolve(base, target);
}

function filesIn(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => `${name}\n${readPlain(join(folder, name)) ?? ''}`);
}
