/** Reads a `*** Begin Patch` envelope and turns it into the file patches a unified diff would hold. */
import { diffLines, type ToolError } from '@codelab/protocol';
import { type FilePatch, type PatchHunk, patchFailure } from './file-patch.ts';
import { hunksFrom } from './hunks.ts';
import { type LineTable, lineTable } from './line-table.ts';
import { splitAtLineFeeds } from './lines.ts';
import { applyHunks } from './place-hunks.ts';
import { type EnvelopeHunk, type EnvelopeSection, readEnvelope } from './read-envelope.ts';

/** The envelope bears no line numbers, so `readOld` must give the text of each file it changes or deletes. */
export function parseEnvelope(text: string, readOld: (path: string) => string): FilePatch[] {
  // A file may come twice; its second section is written against the result of the first.
  const made = new Map<string, () => string>();
  const read = (path: string) => made.get(path)?.() ?? readOld(path);
  return readEnvelope(text).map((section) => {
    const before = section.operation === 'create' ? '' : read(section.path);
    const file = toFilePatch(section, before);
    const path = file.newPath ?? section.path;
    made.set(path, () => applyHunks(before, file.hunks, { path }).text);
    return file;
  });
}

function toFilePatch(section: EnvelopeSection, before: string): FilePatch {
  const { path } = section;
  switch (section.operation) {
    case 'create': {
      const hunks = hunksBetween('', section.text);
      return { oldPath: null, newPath: path, operation: 'create', newMode: 0o100644, hunks };
    }
    case 'delete': {
      const hunks = hunksBetween(before, '');
      return { oldPath: path, newPath: null, operation: 'delete', oldMode: 0o100644, hunks };
    }
    case 'update': {
      const { newPath } = section;
      const hunks = updateHunks(section, before);
      if (newPath !== path) return { oldPath: path, newPath, operation: 'rename', hunks };
      if (hunks.length === 0) throw patchFailure('The section changes nothing.', { path });
      return { oldPath: path, newPath, operation: 'update', hunks };
    }
  }
}

/** Hunks without `\r` meet a CRLF file as if it had none; that its line ends differ is found, and told, on applying. */
function updateHunks(
  { path, hunks }: EnvelopeSection & { operation: 'update' },
  before: string,
): PatchHunk[] {
  const hasCarriageReturns = hunks.some((hunk) => hunk.lines.some((line) => line.endsWith('\r')));
  const isAllCrlf = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
  const text = isAllCrlf && !hasCarriageReturns ? before.replaceAll('\r\n', '\n') : before;
  return hunksBetween(text, placeEnvelopeHunks(text, hunks, path));
}

function hunksBetween(before: string, after: string): PatchHunk[] {
  const oldLines = splitAtLineFeeds(before);
  const newLines = splitAtLineFeeds(after);
  return hunksFrom(oldLines, newLines, diffLines(oldLines, newLines));
}

// Carries out the hunks of an envelope on a text, each where its old lines stand exactly and only there.

/** A text without final newline stays so, unless its last line goes and the one above it, with its own, becomes the last. */
function placeEnvelopeHunks(before: string, hunks: readonly EnvelopeHunk[], path: string): string {
  const isOpen = before !== '' && !before.endsWith('\n');
  const closed = isOpen ? `${before}\n` : before;
  const lines = splitAtLineFeeds(closed);
  const text: Text = { lines, table: lineTable(closed), trimmed: null };
  const parts: string[] = [];
  let from = 0;
  for (const [index, hunk] of hunks.entries()) {
    const oldLines = side(hunk, '-');
    const place = { path, hunk: index + 1, patchLine: hunk.patchLine };
    const start = placeOf(text, hunk, { oldLines, from, place });
    parts.push(lines.slice(from, start).join(''), side(hunk, '+').join(''));
    from = start + oldLines.length;
  }
  parts.push(lines.slice(from).join(''));
  const result = parts.join('');
  const losesLast = from === lines.length && dropsLastLine(hunks.at(-1));
  return isOpen && !losesLast ? result.slice(0, -1) : result;
}

/** `trimmed` has the same lines without blanks around them; it is made when an "@@" line first needs it. */
type Text = { lines: readonly string[]; table: LineTable; trimmed: LineTable | null };
type Place = { path: string; hunk: number; patchLine: number };

function side({ lines }: EnvelopeHunk, sign: '-' | '+'): string[] {
  return lines.filter((line) => line[0] === ' ' || line[0] === sign).map((line) => `${line.slice(1)}\n`);
}

function placeOf(
  text: Text,
  { anchors, isAtEnd }: EnvelopeHunk,
  { oldLines, from, place }: { oldLines: readonly string[]; from: number; place: Place },
): number {
  const { lines, table } = text;
  let start = from;
  for (const [index, anchor] of anchors.entries())
    start = afterAnchor(text, anchor, start, index === 0, place);
  if (oldLines.length === 0) {
    if (anchors.length === 0) return lines.length;
    throw patchFailure('The hunk needs a line of context or one to delete, to say where it belongs.', place);
  }
  if (isAtEnd) {
    const last = lines.length - oldLines.length;
    if (last >= start && oldLines.every((line, index) => line === lines[last + index])) return last;
    throw missing(text, oldLines, last, place);
  }
  const first = table.nearest(oldLines, start, start);
  if (first === -1) throw missing(text, oldLines, start, place);
  const second = anchors.length > 0 ? -1 : table.nearest(oldLines, first + 1, first + 1);
  if (second === -1) return first;
  const where = `at line ${first + 1} and again at line ${second + 1}`;
  throw patchFailure(`The old lines stand ${where}: add context or an "@@" line.`, place, {
    candidates: [first + 1, second + 1],
  });
}

/** The first anchor must stand once; those below it, and then the hunk, are the first to follow. Its indent may differ. */
function afterAnchor(text: Text, anchor: string, from: number, isFirst: boolean, place: Place): number {
  let table = text.table;
  let line = `${anchor}\n`;
  if (table.nearest([line], from, from) === -1) {
    text.trimmed ??= lineTable(text.lines.map((one) => `${one.trim()}\n`).join(''));
    table = text.trimmed;
    line = `${anchor.trim()}\n`;
  }
  const found = table.nearest([line], from, from);
  if (found === -1) throw patchFailure(`The "@@" line ${shown(anchor)} is not in the file.`, place);
  const again = isFirst ? table.nearest([line], found + 1, found + 1) : -1;
  if (again === -1) return found + 1;
  const where = `at line ${found + 1} and again at line ${again + 1}`;
  throw patchFailure(`The "@@" line ${shown(anchor)} stands ${where}.`, place);
}

/** Shows the place where most of the first lines are as expected. */
function missing({ lines }: Text, oldLines: readonly string[], from: number, place: Place): ToolError {
  const start = Math.max(lines.indexOf(oldLines[0] ?? '', Math.max(from, 0)), 0);
  const differing = oldLines.findIndex((line, index) => line !== lines[start + index]);
  const at = differing === -1 ? oldLines.length : differing;
  const expected = shown(oldLines[at]);
  const found = shown(lines[start + at]);
  const message = `The old lines of the hunk are not in the file\nexpected: ${expected}\nfound: ${found}`;
  return patchFailure(`${message} (line ${start + at + 1})`, place, { expected, found });
}

function dropsLastLine(hunk: EnvelopeHunk | undefined): boolean {
  const lastOld = hunk?.lines.findLast((line) => line[0] !== '+');
  const lastNew = hunk?.lines.findLast((line) => line[0] !== '-');
  return lastOld?.[0] === '-' && lastNew?.[0] !== '+';
}

function shown(line: string | undefined): string {
  if (line === undefined) return 'the end of the file';
  return JSON.stringify(line.replace(/\n$/, '').slice(0, 160));
}
