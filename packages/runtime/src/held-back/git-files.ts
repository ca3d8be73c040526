// The files of a repository that decide what git executes, with their contents, so that they can be put back as they were.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { identity } from '../workspace/identity.ts';

/** `content` is the bytes of a file or the text of a link; undefined when it is something else or too large. */
export type GitFile = { print: string; mode: number; isLink: boolean; content: Buffer | string | undefined };

export type GitFiles = ReadonlyMap<string, GitFile>;

// `commondir` names another place for all the rest, `alternates` one for objects; attributes choose among the filters of `config`.
const deciding = [
  ...['config', 'config.worktree', 'commondir', 'gitdir', 'hooks', 'info/attributes'],
  ...['objects/info/alternates', 'objects/info/http-alternates'],
  // What is left to do of a rebase; commands may be among it.
  'rebase-merge/git-rebase-todo',
];
const executing = /^\s*(x|exec)\s/m;
const maxBytes = 256 * 1024;
const maxFolders = 500;

/** `gits` are paths below `root` of a `.git`, which may be a file or a link, or of a folder that is a repository. */
export function readGitFiles(root: string, gits: Iterable<string>): GitFiles {
  const files = new Map<string, GitFile>();
  let left = maxFolders;
  const visit = (git: string): void => {
    if (--left < 0) return;
    const stat = lstatSync(join(root, git), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) {
      note(files, root, git);
      return;
    }
    const hooks = namesIn(join(root, git, 'hooks')).map((name) => `hooks/${name}`);
    for (const name of [...deciding, ...hooks]) note(files, root, `${git}/${name}`);
    for (const name of namesIn(join(root, git, 'worktrees'))) visit(`${git}/worktrees/${name}`);
    for (const name of namesIn(join(root, git, 'modules'))) visitModules(`${git}/modules/${name}`);
  };
  // The name of a submodule may have slashes.
  const visitModules = (path: string): void => {
    const names = namesIn(join(root, path));
    if (names.includes('config') || names.includes('HEAD')) visit(path);
    else if (--left > 0) for (const name of names) visitModules(`${path}/${name}`);
  };
  for (const git of gits) visit(git);
  return files;
}

/** In `after`, what is not as it was in `before`, and what was not there. */
export function changedGitFiles(before: GitFiles, after: GitFiles): string[] {
  return [...after].filter(([path, now]) => isChanged(before.get(path), now)).map(([path]) => path);
}

function isChanged(old: GitFile | undefined, now: GitFile): boolean {
  // A folder stands for itself: what is in it has names of its own.
  if (now.print === 'directory') return false;
  if (old === undefined) return true;
  if (old.content === undefined || now.content === undefined) return old.print !== now.print;
  return (
    old.isLink !== now.isLink ||
    old.mode !== now.mode ||
    Buffer.compare(Buffer.from(old.content), Buffer.from(now.content)) !== 0
  );
}

function note(files: Map<string, GitFile>, root: string, path: string): void {
  const at = join(root, path);
  const stat = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return;
  const mode = Number(stat.mode & 0o7777n);
  const isLink = stat.isSymbolicLink();
  const print = stat.isDirectory() ? 'directory' : identity(stat);
  const content = isLink
    ? readlinkSync(at)
    : stat.isFile() && stat.size <= maxBytes
      ? readFileSync(at)
      : undefined;
  if (path.endsWith('/git-rebase-todo') && content !== undefined && !executing.test(content.toString()))
    return;
  files.set(path, { print, mode, isLink, content });
}

/** Places of the workspace that its repository's settings name: hooks, the monitor, and further settings. */
export function namedBySettings(files: GitFiles): string[] {
  const text = files.get('.git/config')?.content?.toString() ?? '';
  const found = [
    ...text.matchAll(/^\s*(?:\[[^\]\n]*\]\s*)?(hookspath|fsmonitor|path)\s*=\s*"?([^"\n;#]+)/gim),
  ];
  return found.flatMap(([, key = '', value = '']) => {
    const base = key.toLowerCase() === 'path' ? '.git' : '.';
    const place = join(base, value.trim());
    return /^(\/|~|\.\.(\/|$)|\.$|\.git(\/|$))/.test(isAbsolute(value) ? value : place) ? [] : [place];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
