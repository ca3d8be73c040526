// Whether git can read this repository without starting a program that the repository names. Settings that environment variables can switch
// off (see safe-git-environment) are switched off; driver settings can't be, so this module looks for them.
import { accessSync, constants, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Phrase, phrase, ToolError } from '@codelab/protocol';
import { findRepository, repositoryElsewhere } from '../../../git/find-repository.ts';
import { hasCredentials } from '../../../git/run-program.ts';
import type { LineState } from '../line-state.ts';

const maxBytes = 256 * 1024;

// Drivers convert, compare or merge files; includes add settings; a worktree setting makes git read another folder; a promisor remote is
// asked for missing objects over the network; a list from elsewhere appears in git's output.
const starting =
  /\[\s*"?(diff|filter|merge|hook|include|includeif|gpg|submodule|mailmap)\b|\b(fsmonitor|hookspath|worktree|worktreeconfig|promisor|partialclone|sshcommand|alternaterefscommand|gitproxy|ignorerevsfile|excludesfile|attributesfile)\b/i;

/** Why the repository's settings need an approval; undefined when they are harmless or there is no repository. */
export function faultOfGitSettings({ workspace, cwds }: LineState): Phrase | undefined {
  if (cwds === undefined) return phrase('git.unknownRepository');
  const real = workspace.root.real;
  for (const cwd of cwds) {
    const fault = faultAt(join(real, cwd));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultAt(folder: string): Phrase | undefined {
  try {
    const folderOfGit = findGit(folder);
    if (folderOfGit === undefined) return undefined;
    const gitFolder = pointed(folderOfGit, 'gitdir: ') ?? folderOfGit;
    const shared = pointed(join(gitFolder, 'commondir'), '', gitFolder) ?? gitFolder;
    if (!isGitDirectory(gitFolder, shared)) return phrase('git.notRepository');
    const isElsewhere = gitFolder !== folderOfGit || shared !== gitFolder;
    if (isElsewhere && findRepository(dirname(folderOfGit)).mustNameTop) throw repositoryElsewhere();
    if (lstatSync(join(dirname(folderOfGit), '.gitmodules'), { throwIfNoEntry: false }))
      return phrase('git.submodules');
    for (const name of ['post-index-change', 'fsmonitor-watchman'])
      if (lstatSync(join(shared, 'hooks', name), { throwIfNoEntry: false }))
        return phrase('git.hook', { name });
    const texts = [join(shared, 'config'), join(gitFolder, 'config.worktree')].map(readSettings);
    return texts.some((text) => starting.test(text)) ? phrase('git.settingsStart') : undefined;
  } catch (error) {
    return phrase(error instanceof ToolError ? 'git.foreignRepository' : 'git.unreadSettings');
  }
}

/** Whether a folder is certainly a git folder; git skips other folders and searches further up. */
function isGitDirectory(gitFolder: string, shared: string): boolean {
  const isHead = /^(ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/.test(
    readSettings(join(gitFolder, 'HEAD')),
  );
  return isHead && ['objects', 'refs'].every((name) => isOpenFolder(join(shared, name)));
}

function isOpenFolder(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  accessSync(path, constants.X_OK);
  return true;
}

/** Finds the repository as git does: upwards, also above the workspace. */
function findGit(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    if (lstatSync(path, { throwIfNoEntry: false })) return path;
    const isBare = ['HEAD', 'objects'].every((name) => lstatSync(join(at, name), { throwIfNoEntry: false }));
    if (isBare) throw new Error('a bare repository');
    if (dirname(at) === at) return undefined;
  }
}

/** The folder that a pointer file such as `.git` names. */
function pointed(path: string, prefix: string, base = dirname(path)): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return undefined;
  const text = readSettings(path).trim();
  if (!text.startsWith(prefix)) throw new Error('not a pointer');
  const target = text.slice(prefix.length);
  return isAbsolute(target) ? target : resolve(base, target);
}

function readSettings(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return '';
  if (!stat.isFile() || stat.size > maxBytes) throw new Error('not a plain file');
  // A backslash at the end continues the line.
  return readFileSync(path, 'utf8').replace(/\\\r?\n/g, '');
}

// Environment variables that keep git from starting programs named by a repository. Drivers for single file types can't be switched off
// this way: a line that would use them needs approval (see git-settings).

const safeSettings: readonly [string, string][] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.untrackedCache', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['log.showSignature', 'false'],
  ['log.diffMerges', 'separate'],
  ['diff.ignoreSubmodules', 'all'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
];

/** Environment for a line that runs unasked because it only reads; an approved line may need what these variables switch off. */
export function safeGitEnvironment(): Record<string, string> {
  const pairs = safeSettings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: 'true',
    GIT_SSH_COMMAND: 'false',
    GIT_ALLOW_PROTOCOL: '',
    GIT_CONFIG_COUNT: String(safeSettings.length),
    ...Object.fromEntries(pairs),
  };
}

// Parts of `.git` that may hold a secret as readable text. Objects are compressed and references are hashes; settings and remote records
// may hold a password or token, and unknown files may hold anything.

const maxSecretBytes = 1024 * 1024;
const maxFiles = 500;

const plainNames =
  /^(HEAD|ORIG_HEAD|[A-Z]+_(HEAD|MSG|MODE|EDITMSG)|index|description|packed-refs|shallow|objects|refs|hooks|info|.*\.lock)$/;
const listedNames = /^(FETCH_HEAD|logs|branches|remotes)$/;
const settingsNames = /^config(\.worktree)?$/;
const plainSections =
  /^(core|remote|branch|init|pull|push|fetch|extensions|submodule|gc|index|diff|merge|rebase|commit|color|rerere|log|status|feature|maintenance|pack|advice|gui|worktree)$/i;
const userKeys = /^(name|email|signingkey|useconfigonly)$/i;

/** Paths below the folder. */
export function secretsInGit(folder: string): string[] {
  return readdirSync(folder).filter((name) => mayHoldSecret(folder, name));
}

/** Whether reading a path inside `.git` is harmless. */
export function isHarmlessInGit(root: string, path: string): boolean {
  const names = path.split('/');
  const at = names.indexOf('.git');
  if (at < 0) return false;
  const git = join(root, ...names.slice(0, at + 1));
  const stat = lstatSync(git, { throwIfNoEntry: false });
  // A `.git` file only says where the folder is.
  if (stat?.isDirectory() !== true) return at === names.length - 1;
  try {
    const [next] = names.slice(at + 1);
    // Settings are judged by name, whatever their present content.
    if (next === undefined) return secretsInGit(git).length === 0;
    return !settingsNames.test(next) && !mayHoldSecret(git, next);
  } catch {
    return false;
  }
}

function mayHoldSecret(folder: string, name: string): boolean {
  if (plainNames.test(name) && !listedNames.test(name)) return false;
  if (settingsNames.test(name)) return !arePlainSettings(textOf(join(folder, name)));
  if (!listedNames.test(name)) return true;
  const texts = filesAt(join(folder, name)).map(textOf);
  return texts.length > maxFiles || texts.some((text) => text === undefined || hasCredentials(text));
}

/** `http.extraheader` and similar settings hold tokens under names that can't be listed, so only known settings are harmless. */
function arePlainSettings(text: string | undefined): boolean {
  if (text === undefined || hasCredentials(text)) return false;
  let section = '';
  return text.split('\n').every((line) => {
    const [, opened, rest = line] = /^\s*\[\s*([\w-]+)[^\]]*\](.*)$/.exec(line) ?? [];
    section = opened ?? section;
    const [key] = /^[\w-]+/.exec(rest.trim()) ?? [];
    if (key === undefined) return /^\s*([#;].*)?$/.test(rest);
    return plainSections.test(section) || (/^user$/i.test(section) && userKeys.test(key));
  });
}

function filesAt(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .slice(0, maxFiles + 1)
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Undefined unless the path is a regular file small enough to be read. */
function textOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= maxSecretBytes ? readFileSync(path, 'utf8') : undefined;
}
