// git settings as their files have them, with included files. For inspection only: what applies to a run is asked of git.
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';

/** `name` is `section.name.key`, in lower case except for the name in the middle; `file` is the file with the setting. */
export type PlacedSetting = Setting & { file: string };

type Setting = { name: string; value: string };

const maxBytes = 256 * 1024;
const maxFiles = 50;

/** Settings that name a program, a folder of programs, or files that choose among them. No other setting starts anything. */
export const steeringSetting =
  /^(?:alias|diff|filter|merge|hook|include|includeif|gpg|credential|url|protocol|submodule|sequence|pager|difftool|mergetool|man|browser|web|sendemail|trailer|remote\..*\.(?:uploadpack|receivepack|vcs)|core\.(?:hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand|attributesfile|worktree)|commit\.(?:template|gpgsign)|extensions|interactive\.difffilter|uploadpack|tar|instaweb|init\.templatedir)\b/i;

export function isInclude(name: string): boolean {
  return name === 'include.path' || /^includeif\..*\.path$/.test(name);
}

/** A path in a setting, with `~` expanded; a relative path starts at `base`. */
export function settingPath(value: string, base: string): string {
  return resolve(base, value.replace(/^:\(optional\)/, '').replace(/^~(?=\/)/, homedir()));
}

/**
 * The settings of a file and of all files it includes, whatever the include conditions. `files` are the included files, also those that
 * do not exist yet. Throws when a file is too large, or when there are too many.
 */
export function readConfig(path: string): { settings: PlacedSetting[]; files: string[] } {
  const settings: PlacedSetting[] = [];
  const readFiles = new Set<string>();
  const visit = (file: string): void => {
    if (readFiles.has(file)) return;
    readFiles.add(file);
    if (readFiles.size > maxFiles) throw new Error('too many files');
    for (const setting of parseConfig(readPlain(file) ?? '')) {
      settings.push({ ...setting, file });
      if (isInclude(setting.name)) visit(settingPath(setting.value, dirname(file)));
    }
  };
  visit(path);
  return { settings, files: [...readFiles].filter((file) => file !== path) };
}

export function readPlain(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return undefined;
  if (stat.size > maxBytes) throw new Error('too large');
  return readFileSync(path, 'utf8');
}

function parseConfig(text: string): Setting[] {
  const settings: Setting[] = [];
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split('\n')) {
    const [header = '', group, name] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (group !== undefined)
      section =
        name === undefined ? group.toLowerCase() : `${group.toLowerCase()}.${name.replace(/\\(.)/g, '$1')}`;
    const rest = line.slice(header.length).trim();
    const [, key, value = 'true'] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(rest) ?? [];
    if (key !== undefined)
      settings.push({ name: `${section}.${key.toLowerCase()}`, value: plainValue(value) });
  }
  return settings;
}

/** Removes quotes, which may be anywhere in a value, and a trailing comment. Escapes are those of git-config(1). */
function plainValue(text: string): string {
  const pieces = text.matchAll(/"((?:[^"\\]|\\.)*)"?|\\(.)|([^"\\#;]+)|[#;].*$/g);
  return [...pieces]
    .map(
      ([, quoted, escaped, unquoted]) =>
        quoted?.replace(/\\(.)/g, (_, character: string) => unescaped(character)) ??
        (escaped === undefined ? (unquoted ?? '') : unescaped(escaped)),
    )
    .join('')
    .trim();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

function unescaped(character: string): string {
  return escapes[character] ?? character;
}
