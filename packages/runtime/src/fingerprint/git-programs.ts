// What a git command would start of the repository's own: aliases, hooks, and the settings that name programs.
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { digest, digestJson } from '../workspace/digest.ts';
import { deeper, type Family, quiet, type Step } from './step.ts';

const maxBytes = 256 * 1024;

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
  if (/^(?:bisect|rebase|submodule|filter-branch|difftool|mergetool)$/.test(command) && given.length > 1)
    recorder.giveUp('It may run what it is given.');
  const git = readGit(join(recorder.workspace.root.real, cwd));
  if (git === 'unreadable') recorder.giveUp('The settings of the repository can’t be read.');
  if (git === undefined || git === 'unreadable') return;
  const names = git.settings.filter(({ name }) => steering.test(name));
  recorder.print('git settings', digestJson(names));
  for (const { name, value } of names) showSetting(name, value, step);
  const alias = git.settings.findLast(({ name }) => name === `alias.${command.toLowerCase()}`)?.value;
  if (alias !== undefined) followAlias(alias, given, step);
  for (const hook of git.hooks.filter((one) => isStarted(command, one.name))) followHook(hook, git.top, step);
  if (names.some(({ name }) => name.startsWith('filter.'))) recorder.file('.gitattributes');
};

function showSetting(name: string, value: string, step: Step): void {
  if (/^include/.test(name)) step.recorder.giveUp('The settings of the repository include others.');
  if (/^(?:url|credential|submodule|extensions)\b/.test(name)) return;
  step.recorder.run(`git's ${name} is`, value);
  // A driver or an editor may be a script of the workspace.
  if (!name.startsWith('alias.')) step.followText(value, quiet(deeper(step)));
}

function isStarted(command: string, hook: string): boolean {
  return always.includes(hook) || hooks.get(command)?.includes(hook) === true;
}

/** Git starts its hooks at the top of the repository. */
function followHook({ name, file, text }: Hook, top: string, step: Step): void {
  const { recorder } = step;
  const { real } = recorder.workspace.root;
  const path = file.startsWith(`${real}/`) ? file.slice(real.length + 1) : file;
  recorder.print(`hook ${path}`, digest(text));
  recorder.run(`git's hook ${name}`, text.length <= 400 ? text.trim() : `${text.split('\n').length} lines`);
  const at = { ...quiet(deeper(step)), cwd: top === real ? '' : undefined };
  step.followText(text, at, path === file ? undefined : path);
}

function followAlias(alias: string, given: readonly (string | undefined)[], step: Step): void {
  if (alias.startsWith('!')) step.followText(alias.slice(1), deeper(step));
  else if (step.depth < 5) step.follow(['git', ...alias.split(/\s+/), ...given], deeper(step));
  else step.recorder.giveUp('An alias of git leads to itself.');
}

type Setting = { name: string; value: string };
type Hook = { name: string; file: string; text: string };
type Git = { top: string; settings: readonly Setting[]; hooks: readonly Hook[] };

function readGit(folder: string): Git | 'unreadable' | undefined {
  try {
    const found = findGit(folder);
    if (found === undefined) return undefined;
    const { own, shared, top } = found;
    const settings = [join(shared, 'config'), join(own, 'config.worktree')].flatMap(readSettings);
    const path = settings.findLast(({ name }) => name === 'core.hookspath')?.value;
    const at = path === undefined ? join(shared, 'hooks') : resolve(top, path.replace(/^~(?=\/)/, homedir()));
    // Husky's own hook only calls the one beside its folder.
    const folders = path === undefined ? [at] : [at, dirname(at)];
    const names = [...new Set([...always, ...[...hooks.values()].flat()])];
    const read = folders.flatMap((one) =>
      names.flatMap((name) => {
        const file = join(one, name);
        const text = readPlain(file);
        return text === undefined ? [] : [{ name, file, text }];
      }),
    );
    return { top, settings, hooks: read };
  } catch {
    return 'unreadable';
  }
}

/** As git looks for it: upwards, beyond the workspace too. */
function findGit(folder: string): { own: string; shared: string; top: string } | undefined {
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
    if (key !== undefined) found.push({ name: `${section}.${key.toLowerCase()}`, value: plainValue(value) });
  }
  return found;
}

/** Without quotes, which may stand anywhere, and without the comment after it. */
function plainValue(text: string): string {
  const pieces = text.matchAll(/"((?:[^"\\]|\\.)*)"?|\\(.)|([^"\\#;]+)|[#;].*$/g);
  return [...pieces]
    .map(([, quoted, escaped, plain]) => quoted?.replace(/\\(.)/g, '$1') ?? escaped ?? plain ?? '')
    .join('')
    .trim();
}
