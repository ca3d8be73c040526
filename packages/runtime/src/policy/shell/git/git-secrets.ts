// What in a folder `.git` may hold a secret as readable text. Objects are compressed, references are hashes; settings and the record of
// remotes may hold a password or token, and what is not known may be anything.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCredentials } from '../../../git/run-program.ts';

const maxBytes = 1024 * 1024;
const maxFiles = 500;

const plain =
  /^(HEAD|ORIG_HEAD|[A-Z]+_(HEAD|MSG|MODE|EDITMSG)|index|description|packed-refs|shallow|objects|refs|hooks|info|.*\.lock)$/;
const told = /^(FETCH_HEAD|logs|branches|remotes)$/;
const settings = /^config(\.worktree)?$/;
const plainSections =
  /^(core|remote|branch|init|pull|push|fetch|extensions|submodule|gc|index|diff|merge|rebase|commit|color|rerere|log|status|feature|maintenance|pack|advice|gui|worktree)$/i;
const userKeys = /^(name|email|signingkey|useconfigonly)$/i;

/** Paths below the folder. */
export function secretsInGit(folder: string): string[] {
  return readdirSync(folder).filter((name) => mayHoldSecret(folder, name));
}

/** For a path of the workspace that leads into `.git`. */
export function isHarmlessInGit(root: string, path: string): boolean {
  const names = path.split('/');
  const at = names.indexOf('.git');
  if (at < 0) return false;
  const git = join(root, ...names.slice(0, at + 1));
  const stat = lstatSync(git, { throwIfNoEntry: false });
  // A file there only says where the folder is.
  if (stat?.isDirectory() !== true) return at === names.length - 1;
  try {
    const [next] = names.slice(at + 1);
    // Settings are asked about by name, whatever stands in them today.
    if (next === undefined) return secretsInGit(git).length === 0;
    return !settings.test(next) && !mayHoldSecret(git, next);
  } catch {
    return false;
  }
}

function mayHoldSecret(folder: string, name: string): boolean {
  if (plain.test(name) && !told.test(name)) return false;
  if (settings.test(name)) return !arePlainSettings(textOf(join(folder, name)));
  if (!told.test(name)) return true;
  const texts = filesAt(join(folder, name)).map(textOf);
  return texts.length > maxFiles || texts.some((text) => text === undefined || hasCredentials(text));
}

/** `http.extraheader` and its like hold tokens under names that nobody can list, so only what is known is harmless. */
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

/** Undefined for what is no plain file of a size that can be looked at. */
function textOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= maxBytes ? readFileSync(path, 'utf8') : undefined;
}
