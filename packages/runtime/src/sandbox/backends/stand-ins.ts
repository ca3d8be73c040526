// Replacements for hidden files, and the size limit of folders that are not kept.
import { existsSync, lstatSync, renameSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { isInclude, readConfig, settingPath } from '../../git/config-file.ts';
import { ensureFolder } from '../../platform/database-lock.ts';
import { digest } from '../../platform/digest.ts';

/** Replaces a hidden file: most programs accept an empty file. */
export function emptyFile(home: string): string {
  return standIn(join(home, 'empty'), 0o400);
}

/** An unreadable file, used where git would take an empty file for a change and commit it. */
export function closedFile(home: string): string {
  return standIn(join(home, 'closed'), 0);
}

function standIn(path: string, mode: number): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size === 0) return path;
  ensureFolder(dirname(path));
  writeFileSync(path, '', { mode });
  return path;
}

export function isFile(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isDirectory();
}

/** Limit of each folder in memory: enough for a build, and never all of the memory. */
export function scratchBytes(): number {
  const maxBytes = 1024 ** 3;
  return Math.min(maxBytes, Math.floor(totalmem() / 8));
}

/**
 * A copy of git's settings without logins: identity, and how commands of git look and behave. Undefined when the settings can't be read.
 * Files that are always included are part of the copy; those on a condition are not.
 */
export function gitConfigCopy(home: string, path: string): string | undefined {
  const text = harmlessSettings(path);
  if (text === undefined) return undefined;
  const copy = join(home, 'git-settings', digest(text).replace(/\W/g, '-'));
  if (existsSync(copy)) return copy;
  ensureFolder(dirname(copy));
  const temporary = `${copy}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o400 });
  renameSync(temporary, copy);
  return copy;
}

const harmlessSection =
  /^(?:user|author|committer|core|init|color|column|alias|pull|push|merge|diff|rebase|rerere|log|status|branch|tag|commit|advice|help|format|safe|apply|blame|index|pack|feature|gc|grep|fetch|checkout|switch|stash|submodule|filter|lfs|gpg|i18n|extensions|protocol|interactive|pager|mailmap|versionsort|worktree|maintenance|transfer|notes|showbranch|clean|add|am)\./;
const secretName =
  /pass|token|secret|credential|header|helper|cookie|proxy|askpass|sshcommand|\.(?:url|pushurl|insteadof|pushinsteadof)$/;
const secretValue = /:\/\/[^/\s]*@|token|passw|secret|bearer|authorization|api.?key/i;

function harmlessSettings(path: string): string | undefined {
  const included = new Set([path]);
  const lines: string[] = [];
  try {
    for (const { name, value, file } of readConfig(path).settings) {
      if (!included.has(file)) continue;
      if (name === 'include.path') included.add(settingPath(value, dirname(file)));
      const isHarmless = harmlessSection.test(name) && !secretName.test(name.toLowerCase());
      // A setting that starts a program of the shell may carry a login in its words.
      const isShell = name.startsWith('alias.') && value.startsWith('!');
      if (isHarmless && !isInclude(name) && !isShell && !secretValue.test(`${name} ${value}`))
        lines.push(settingText(name, value));
    }
  } catch {
    return undefined;
  }
  return lines.join('');
}

function settingText(name: string, value: string): string {
  const quoted = (text: string): string =>
    `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b')}"`;
  const section = name.slice(0, name.indexOf('.'));
  const key = name.slice(name.lastIndexOf('.') + 1);
  const middle = name.slice(section.length + 1, -key.length - 1);
  return `[${section}${middle === '' ? '' : ` ${quoted(middle)}`}]\n\t${key} = ${quoted(value)}\n`;
}
