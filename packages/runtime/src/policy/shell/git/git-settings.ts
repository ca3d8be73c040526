// May git read this repository without starting a program that the repository itself names? Settings that the environment of a
// command can switch off (see safe-git-environment) are switched off; what has a name of its own can't be, so it is looked for here.
import { accessSync, constants, lstatSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Phrase, phrase, ToolError } from '@codelab/protocol';
import { elsewhere, findRepository } from '../../../git/find-repository.ts';
import type { Scene } from '../scene.ts';

const maxBytes = 256 * 1024;

// Drivers convert, compare or merge files; includes bring in more settings; a worktree elsewhere is read instead of this one; a promisor is
// asked for missing objects over the network; a list from elsewhere shows up in what git says about it.
const starting =
  /\[\s*"?(diff|filter|merge|hook|include|includeif|gpg|submodule|mailmap)\b|\b(fsmonitor|hookspath|worktree|worktreeconfig|promisor|partialclone|sshcommand|alternaterefscommand|gitproxy|ignorerevsfile|excludesfile|attributesfile)\b/i;

/** What speaks against it; undefined when nothing does, also when there is no repository. */
export function faultOfGitSettings({ workspace, cwds }: Scene): Phrase | undefined {
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
    const found = findGit(folder);
    if (found === undefined) return undefined;
    const own = pointed(found, 'gitdir: ') ?? found;
    const shared = pointed(join(own, 'commondir'), '', own) ?? own;
    if (!isGitDirectory(own, shared)) return phrase('git.notRepository');
    const isElsewhere = own !== found || shared !== own;
    if (isElsewhere && findRepository(dirname(found)).mustNameTop) throw elsewhere();
    if (lstatSync(join(dirname(found), '.gitmodules'), { throwIfNoEntry: false }))
      return phrase('git.submodules');
    for (const name of ['post-index-change', 'fsmonitor-watchman'])
      if (lstatSync(join(shared, 'hooks', name), { throwIfNoEntry: false }))
        return phrase('git.hook', { name });
    const texts = [join(shared, 'config'), join(own, 'config.worktree')].map(readSettings);
    return texts.some((text) => starting.test(text)) ? phrase('git.settingsStart') : undefined;
  } catch (error) {
    return phrase(error instanceof ToolError ? 'git.foreignRepository' : 'git.unreadSettings');
  }
}

/** Is it one beyond doubt? Git passes over what is not, and looks further up. */
function isGitDirectory(own: string, shared: string): boolean {
  const isHead = /^(ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/.test(readSettings(join(own, 'HEAD')));
  return isHead && ['objects', 'refs'].every((name) => isOpenFolder(join(shared, name)));
}

function isOpenFolder(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  accessSync(path, constants.X_OK);
  return true;
}

/** As git looks for it: upwards, beyond the workspace too. */
function findGit(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    if (lstatSync(path, { throwIfNoEntry: false })) return path;
    const isBare = ['HEAD', 'objects'].every((name) => lstatSync(join(at, name), { throwIfNoEntry: false }));
    if (isBare) throw new Error('a bare repository');
    if (dirname(at) === at) return undefined;
  }
}

/** Where a file that names a folder points to. */
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
  // A line may go on after a backslash.
  return readFileSync(path, 'utf8').replace(/\\\r?\n/g, '');
}
