// What a git command would start of the repository's own: aliases, hooks, and the settings that name programs.
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { digest, digestJson } from '../workspace/digest.ts';
import { deeper, type Family, quiet, type Step } from './step.ts';

const maxBytes = 256 * 1024;

const always = ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'fsmonitor-watchman'];
const committing = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
const hooks: Readonly<Record<string, readonly string[]>> = {
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
  rebase: ['pre-rebase', 'post-rewrite', 'post-checkout', ...committing],
  am: ['applypatch-msg', 'pre-applypatch', 'post-applypatch'],
  'cherry-pick': committing,
  revert: committing,
};

// What else a repository's configuration says, such as which branch follows which, starts nothing.
const steering =
  /^(?:alias|diff|filter|merge|hook|include|includeif|gpg|credential|url|protocol|submodule|sequence|pager|difftool|mergetool|man|browser|web|sendemail|trailer|remote\..*\.(?:uploadpack|receivepack|vcs)|core\.(?:hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand|attributesfile|worktree)|commit\.(?:template|gpgsign)|extensions)\b/i;

export const runsGit: Family = (args, step) => {
  const { recorder, cwd } = step;
  const at = args.findIndex(
    (word) => word === undefined || !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(word),
  );
  const [command, ...given] = at < 0 ? [] : args.slice(at);
  if (command === undefined || command.startsWith('-')) {
    recorder.giveUp('What git runs with this option is not known.');
    return;
  }
  try {
    const git = findGit(join(recorder.workspace.root.real, cwd));
    if (git === undefined) return;
    const settings = [join(git.shared, 'config'), join(git.own, 'config.worktree')].flatMap(readSettings);
    const names = settings.filter(({ name }) => steering.test(name));
    recorder.print('git settings', digestJson(names));
    for (const { name, value } of names)
      if (!/^(?:url|credential|submodule|extensions)\b/.test(name)) recorder.run(`git's ${name} is`, value);
    const alias = settings.find(({ name }) => name === `alias.${command.toLowerCase()}`)?.value;
    if (alias !== undefined) followAlias(alias, given, step);
    printHooks(command, git, settings, step);
  } catch {
    recorder.giveUp('The settings of the repository can’t be read.');
  }
};

function followAlias(alias: string, given: readonly (string | undefined)[], step: Step): void {
  if (alias.startsWith('!')) step.followText(alias.slice(1), deeper(step));
  else if (step.depth < 5) step.follow(['git', ...alias.split(/\s+/), ...given], deeper(step));
  else step.recorder.giveUp('An alias of git leads to itself.');
}

type Setting = { name: string; value: string };
type Git = { own: string; shared: string; top: string };

function printHooks(command: string, git: Git, settings: readonly Setting[], step: Step): void {
  const { recorder } = step;
  const path = settings.findLast(({ name }) => name === 'core.hookspath')?.value;
  const folder =
    path === undefined ? join(git.shared, 'hooks') : resolve(git.top, path.replace(/^~(?=\/)/, homedir()));
  // Husky's own hook only calls the one beside it.
  for (const hook of [...(hooks[command] ?? []), ...always])
    for (const file of [join(folder, hook), ...(path === undefined ? [] : [join(dirname(folder), hook)])]) {
      const text = readPlain(file);
      if (text === undefined) continue;
      recorder.print(`hook ${hook}`, digest(text));
      recorder.run(
        `git's hook ${hook}`,
        text.length <= 400 ? text.trim() : `${text.split('\n').length} lines`,
      );
      // Git starts its hooks at the top of the repository.
      step.followText(text, {
        ...quiet(deeper(step)),
        cwd: git.top === recorder.workspace.root.real ? '' : undefined,
      });
    }
  if (settings.some(({ name }) => name.startsWith('filter.'))) recorder.file('.gitattributes');
}

/** As git looks for it: upwards, beyond the workspace too. */
function findGit(folder: string): Git | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const own = stat.isFile() ? pointed(path, /^gitdir: (.*)$/m, at) : path;
      const common = readPlain(join(own, 'commondir'));
      return { own, shared: common === undefined ? own : resolve(own, common.trim()), top: at };
    }
    if (dirname(at) === at) return undefined;
  }
}

function pointed(path: string, pattern: RegExp, base: string): string {
  const target = pattern.exec(readPlain(path) ?? '')?.[1];
  if (target === undefined) throw new Error('not a pointer');
  return isAbsolute(target) ? target : resolve(base, target);
}

function readPlain(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return undefined;
  if (stat.size > maxBytes) throw new Error('too large');
  return readFileSync(path, 'utf8');
}

/** The settings of a file in the form `section.name.key`, in lower case except for the name. */
function readSettings(path: string): Setting[] {
  const found: Setting[] = [];
  let section = '';
  for (const line of (readPlain(path) ?? '').replace(/\\\r?\n/g, '').split('\n')) {
    const [, group, name] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (group !== undefined)
      section = name === undefined ? group.toLowerCase() : `${group.toLowerCase()}.${name}`;
    const rest = line.replace(/^\s*\[[^\]]*\]/, '').trim();
    const [, key, value = 'true'] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest) ?? [];
    if (key !== undefined)
      found.push({ name: `${section}.${key.toLowerCase()}`, value: value.replace(/^"(.*)"$/, '$1') });
  }
  return found;
}
