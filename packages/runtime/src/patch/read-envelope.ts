/** Reads the sections of a `*** Begin Patch` envelope as they stand, without looking at any file. */
import { patchFailure } from './file-patch.ts';

/** One place to change. `lines` carry ' ', '-' or '+'; the anchors are lines to pass on the way there. */
export type EnvelopeHunk = { anchors: string[]; lines: string[]; isAtEnd: boolean; patchLine: number };

export type EnvelopeSection =
  | { operation: 'create'; path: string; text: string }
  | { operation: 'delete'; path: string }
  | { operation: 'update'; path: string; newPath: string; hunks: EnvelopeHunk[] };

export function readEnvelope(text: string): EnvelopeSection[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() !== '');
  const end = lines.findLastIndex((line) => line.trim() !== '');
  if (lines[start]?.trim() !== '*** Begin Patch')
    throw patchFailure('"*** Begin Patch" must come first.', { patchLine: start + 1 });
  if (lines[end]?.trim() !== '*** End Patch')
    throw patchFailure('The patch is cut off: "*** End Patch" must come last.', { patchLine: end + 1 });
  const reader: Reader = { lines, at: start + 1, end, isCrlf: lines[start]?.endsWith('\r') ?? false };
  const sections: EnvelopeSection[] = [];
  for (skipBlank(reader); reader.at < reader.end; skipBlank(reader)) sections.push(readSection(reader));
  if (sections.length === 0) throw patchFailure('The patch names no file.');
  return sections;
}

/** `end` is the line of `*** End Patch`. */
type Reader = {
  readonly lines: readonly string[];
  at: number;
  readonly end: number;
  readonly isCrlf: boolean;
};

const SECTION = /^\*\*\* (Add|Delete|Update) File: (.*)$/s;
const MOVE = '*** Move to: ';
const END_OF_FILE = '*** End of File';

function readSection(reader: Reader): EnvelopeSection {
  const patchLine = reader.at + 1;
  const [, verb, name = ''] = SECTION.exec(takeMarker(reader)) ?? [];
  if (verb === undefined)
    throw patchFailure('"*** Add File:", "*** Delete File:" or "*** Update File:" must stand here.', {
      patchLine,
    });
  const path = checkedName(name, patchLine);
  if (verb === 'Delete') return { operation: 'delete', path };
  if (verb === 'Add') return { operation: 'create', path, text: readAdded(reader) };
  return readUpdate(reader, path, patchLine);
}

function readAdded(reader: Reader): string {
  const added: string[] = [];
  for (; lineAt(reader).startsWith('+'); reader.at++) added.push(`${lineAt(reader).slice(1)}\n`);
  return added.join('');
}

function readUpdate(reader: Reader, path: string, patchLine: number): EnvelopeSection {
  const isMoved = lineAt(reader).startsWith(MOVE);
  const newPath = isMoved ? checkedName(takeMarker(reader).slice(MOVE.length), reader.at) : path;
  const hunks: EnvelopeHunk[] = [];
  for (skipBlank(reader); !isSectionEnd(reader); skipBlank(reader)) hunks.push(readHunk(reader, path));
  if (hunks.length === 0 && newPath === path)
    throw patchFailure('The section changes nothing.', { path, patchLine });
  return { operation: 'update', path, newPath, hunks };
}

function readHunk(reader: Reader, path: string): EnvelopeHunk {
  const patchLine = reader.at + 1;
  const anchors: string[] = [];
  while (/^@@(?: |\r?$)/.test(lineAt(reader))) {
    const anchor = takeMarker(reader).slice(3);
    if (anchor.trim() !== '') anchors.push(anchor);
  }
  const lines = readHunkLines(reader, path);
  const isAtEnd = lineAt(reader).startsWith(END_OF_FILE);
  if (isAtEnd) reader.at++;
  // Empty lines before the next marker set it off; only `*** End of File` makes them lines of the file.
  else while (lines.at(-1) === '') lines.pop();
  if (lines.every((line) => !/^[-+]/.test(line)))
    throw patchFailure('The hunk changes nothing.', { path, patchLine });
  return { anchors, lines: lines.map((line) => (line === '' ? ' ' : line)), isAtEnd, patchLine };
}

function readHunkLines(reader: Reader, path: string): string[] {
  const lines: string[] = [];
  for (; !isSectionEnd(reader); reader.at++) {
    const line = lineAt(reader);
    if (line.startsWith('@@') || line.startsWith(END_OF_FILE)) break;
    if (line !== '' && !/^[-+ ]/.test(line))
      throw patchFailure('A line of a hunk starts with " ", "-" or "+".', {
        path,
        patchLine: reader.at + 1,
      });
    lines.push(line);
  }
  return lines;
}

function checkedName(text: string, patchLine: number): string {
  const name = text.trim();
  if (name === '') throw patchFailure('The file name is empty.', { patchLine });
  if (name.includes('\0')) throw patchFailure('The file name holds a NUL.', { patchLine });
  return name;
}

function isSectionEnd(reader: Reader): boolean {
  return reader.at >= reader.end || SECTION.test(lineAt(reader));
}

function skipBlank(reader: Reader): void {
  while (reader.at < reader.end && lineAt(reader).trim() === '') reader.at++;
}

function lineAt({ lines, at, end }: Reader): string {
  return at < end ? (lines[at] ?? '') : '';
}

/** Lines of the envelope itself lose the `\r` of a patch written with such line ends; lines of files keep theirs. */
function takeMarker(reader: Reader): string {
  const line = lineAt(reader);
  reader.at++;
  return reader.isCrlf && line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Whether a text is a patch between `*** Begin Patch` and `*** End Patch` rather than a unified diff. */
export function isEnvelope(text: string): boolean {
  return /^\s*\*\*\* Begin Patch[ \t\r]*(?:\n|$)/.test(text);
}
