// The files that a command may use in the session's /tmp, where unasked commands write as well: an approval is bound to these files, and
// they are shown where they may be more than read.
import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandPart, type Phrase, type Plan, phrase, visibleLine } from '@codelab/protocol';
import { digestJson, distinct } from '../platform/digest.ts';
import { identity } from '../workspace/directory.ts';
import { findInTmp, type OwnTmp, printInTmp } from '../workspace/own-tmp.ts';

type TmpFiles = { notes: Phrase[]; basis: Plan['basis'] };

const maxNotes = 40;
const maxShown = 10;
const shownChars = 600;
const maxPaths = 20;
const maxEntries = 20_000;

/** `parts` with their executions: when not everything that runs is known, any file in /tmp may be executed. */
export function filesInTmp(parts: readonly CommandPart[], tmp: OwnTmp | undefined): TmpFiles {
  if (tmp === undefined) return { notes: [], basis: [] };
  const notes: Phrase[] = [];
  const basis = new Map<string, string>();
  for (const { words, verdict } of parts)
    for (const path of words.flatMap(pathsInTmp)) {
      const place = findInTmp(tmp, path);
      if (place === undefined) continue;
      const { print, text } = printInTmp(place);
      basis.set(`tmp:${path}`, print);
      if (verdict !== 'allow' && isShown(text)) notes.push(contentNote(path, text));
    }
  const others = otherFiles(parts, tmp);
  for (const { path, print } of others.basis) basis.set(path, print);
  return {
    notes: distinct([...notes, ...others.notes]).slice(0, maxNotes),
    basis: [...basis].map(([path, print]) => ({ path, print })),
  };
}

/** `--file=/tmp/x` and `-o/tmp/x` name a path too, and code in a word may name several. */
function pathsInTmp(word: string): string[] {
  const tmpAt = word.search(/\/+tmp\//);
  const paths = [
    ...(tmpAt < 0 ? [] : [word.slice(tmpAt)]),
    ...(word.match(/\/+tmp(?:\/[^\s"'`;|&<>()=,:@]+)+/g) ?? []),
    ...(word.match(/\/+tmp(?:\/[^\s"'`;|&<>()]+)+/g) ?? []),
  ];
  return [...new Set(paths)].slice(0, maxPaths);
}

/** Files that the command line may use without naming them: by a pattern, by a folder, or by a word that is known only at run time. */
function otherFiles(parts: readonly CommandPart[], tmp: OwnTmp): TmpFiles {
  const open = parts.map((part) => ({ part, words: part.words.filter((word) => isOpen(word, tmp)) }));
  const executing = parts.filter(({ execution }) => execution !== undefined);
  const isUnsure = executing.some(
    ({ execution, isDynamic }) => isDynamic || execution?.unknown !== undefined,
  );
  const isNamed =
    open.some(({ words }) => words.length > 0) ||
    executing.some(
      ({ cwd, execution, isDynamic }) => cwd === undefined || (isDynamic && execution?.unknown),
    ) ||
    (isUnsure && parts.some(({ words }) => words.some((word) => /\.log(?![\w(])/.test(word))));
  if (!isNamed && !isUnsure) return { notes: [], basis: [] };
  const entries = entriesIn(tmp.folder);
  if (entries === undefined) return isNamed ? tooMany() : { notes: [], basis: [] };
  const patterns = open.flatMap(({ part, words }) => (part.verdict === 'allow' ? [] : words));
  // A file that is written continuously is no reason to ask again, unless the command line names it.
  const bound = isNamed ? entries : entries.filter(({ path }) => !path.endsWith('.log'));
  return {
    notes: notesOn(entries, patterns, tmp),
    basis: [{ path: 'files in /tmp', print: digestJson(bound.map(({ path, print }) => [path, print])) }],
  };
}

// With too many files nothing shows whether they have changed, so no approval holds.
function tooMany(): TmpFiles {
  const note = phrase('note.tmpTooMany', { most: maxEntries });
  return { notes: [note], basis: [{ path: 'files in /tmp', print: randomUUID() }] };
}

/** Whether a word may lead to more files than the one it names. */
function isOpen(word: string, tmp: OwnTmp): boolean {
  if (/(^|[\s="'`(])\/+[^/\s]*[*?[{]/.test(word)) return true;
  if (!/(^|[^\w.-])tmp(?![\w.-])/.test(word)) return false;
  if (/[*?[{$]|\.\.|~/.test(word)) return true;
  const paths = [...(word.match(/\/+tmp(?![^/\s"'`;|&<>()=,:@])/g) ?? []), ...pathsInTmp(word)];
  return paths.length >= maxPaths || paths.some((path) => isFolder(path, word, tmp));
}

function isFolder(path: string, word: string, tmp: OwnTmp): boolean {
  // `/tmp` is also the start of each longer path, so only a bare `/tmp` counts.
  if (/^\/+tmp$/.test(path)) return !/\/tmp\/+[^/\s"'`;|&<>()=,:@]/.test(word);
  const place = findInTmp(tmp, path);
  return place !== undefined && (place.isLinked || place.stat?.isDirectory() === true);
}

type Entry = { path: string; print: string };

/** Undefined when there are too many. Files are compared by their times; the entries of a folder are compared one by one. */
function entriesIn(folder: string): Entry[] | undefined {
  const entries: Entry[] = [];
  const pending = namesIn(folder) ?? [];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) continue;
    const at = path;
    const below = stat.isDirectory() ? namesIn(join(folder, at))?.map((name) => join(at, name)) : undefined;
    entries.push({ path, print: below === undefined ? identity(stat) : `folder ${stat.mode}` });
    pending.push(...(below ?? []));
    if (entries.length + pending.length > maxEntries) return undefined;
  }
  return entries;
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).sort().reverse();
  } catch {
    return undefined;
  }
}

/** Rather notes too many files than too few of those that the patterns match. */
function notesOn(entries: readonly Entry[], patterns: readonly string[], tmp: OwnTmp): Phrase[] {
  const literals = patterns.map(literalsOf);
  const texts = entries.flatMap(({ path }) => {
    const fullPath = `/tmp/${path}`;
    if (!literals.some((parts) => isInOrder(fullPath, parts))) return [];
    const place = findInTmp(tmp, fullPath);
    const text = place && !place.isLinked ? printInTmp(place).text : undefined;
    return isShown(text) ? [contentNote(fullPath, text)] : [];
  });
  const unlisted = texts.length - maxShown;
  return unlisted > 0 ? [...texts.slice(0, maxShown), phrase('note.tmpMore', { count: unlisted })] : texts;
}

/** The literal pieces of a pattern; none where code in a word or a variable may mean any file. */
function literalsOf(word: string): string[] {
  if (/[\s"'`;|&<>()$\\~=]|\.\./.test(word)) return [];
  return word
    .replace(/\/+/g, '/')
    .replace(/\{.*\}?|\[[^\]]*\]?/g, '*')
    .split(/[*?]+/)
    .filter((piece) => piece !== '');
}

function isInOrder(path: string, pieces: readonly string[]): boolean {
  let at = 0;
  return pieces.every((piece) => {
    const found = path.indexOf(piece, at);
    at = found + piece.length;
    return found >= 0;
  });
}

function isShown(text: string | undefined): text is string {
  return text !== undefined && text !== '' && !text.includes('\0');
}

function contentNote(path: string, text: string): Phrase {
  const label = visibleLine(path);
  return text.length <= shownChars
    ? phrase('note.runs', { label, text: visibleLine(text.trim()) })
    : phrase('note.lines', { label, count: text.trimEnd().split('\n').length });
}
