/** Reads the sections of a `*** Begin Patch` envelope as written, without reading any file. */
import type { ToolError } from '@codelab/protocol';
import { patchFailure } from '../file-patch.ts';

/**
 * One place in the file. `lines` start with ' ', '-' or '+'; anchors are lines above the place, in order.
 * A hunk of context lines alone changes nothing: the hunks after it belong below these lines.
 */
export type EnvelopeHunk = { anchors: string[]; lines: string[]; isAtEnd: boolean; patchLine: number };

export type EnvelopeSection =
  | { operation: 'create'; path: string; text: string }
  | { operation: 'delete'; path: string }
  | { operation: 'update'; path: string; newPath: string; hunks: EnvelopeHunk[] };

export function readPatchEnvelope(text: string): EnvelopeSection[] {
  const lines = unwrapPatch(text).split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const isCrlf = lines[first]?.endsWith('\r') ?? false;
  // Models leave out the begin or the end marker; the sections alone identify the patch.
  const at = lines[first]?.trim() === BEGIN ? first + 1 : first;
  const marked = lines.findIndex((line, index) => index >= at && line.trimEnd() === END);
  if (marked !== -1 && marked !== last)
    throw patchFailure(`Nothing may follow "${END}". Send one patch at a time.`, { patchLine: marked + 2 });
  // An indented end marker is a context line, except on the last line.
  const end = marked !== -1 ? marked : lines[last]?.trim() === END ? last : last + 1;
  const reader: Reader = { lines, at, end, isCrlf };
  const sections: EnvelopeSection[] = [];
  for (skipBlank(reader); reader.at < reader.end; skipBlank(reader)) sections.push(readSection(reader));
  if (sections.length === 0) throw patchFailure('The patch names no file.');
  return sections;
}

/** Whether a text is a patch of `*** Update File:` sections rather than a unified diff. */
export function isEnvelope(text: string): boolean {
  return /^\s*\*\*\* (?:Begin Patch[ \t\r]*(?:\n|$)|(?:Add|Delete|Update) File: )/.test(unwrapPatch(text));
}

/** Removes what models put around a patch: a code fence, or the shell's `apply_patch <<'EOF'`, whose end may be missing. */
export function unwrapPatch(text: string): string {
  const [, fence] = /^\s*```[\w-]*[ \t]*\r?\n([\s\S]*?)(?:\n```\s*)?$/.exec(text) ?? [];
  if (fence !== undefined) return unwrapPatch(`${fence}\n`);
  const [, call] = /^\s*(?:apply_patch[ \t]+|cat[ \t]+)?(<<[\s\S]*)$/.exec(text) ?? [];
  return (call === undefined ? undefined : hereDocument(call)) ?? text;
}

/** The text of a shell here-document that begins with `<<`; the end word may be missing. Undefined when anything follows the end word. */
function hereDocument(text: string): string | undefined {
  const head = /^<<(-?)[ \t]*(["']?)(\w+)\2[ \t]*\r?\n/.exec(text);
  if (head === null) return undefined;
  const [start, dash, , word] = head;
  const lines = text.slice(start.length).split('\n');
  // As in a shell, the end word is alone on its line; tabs may precede it only after `<<-`. A context line of a patch begins with a
  // space.
  const isEnd = (line: string): boolean =>
    (dash === '' ? line : line.replace(/^\t+/, '')).replace(/\r$/, '') === word;
  const end = lines.findIndex(isEnd);
  if (end === -1) return lines.join('\n');
  const isLast = lines.slice(end + 1).every((line) => line.trim() === '');
  return isLast
    ? lines
        .slice(0, end)
        .map((line) => `${line}\n`)
        .join('')
    : undefined;
}

/** `end` is the line of `*** End Patch`, or the line after the last. */
type Reader = {
  readonly lines: readonly string[];
  at: number;
  readonly end: number;
  readonly isCrlf: boolean;
};

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const SECTION = /^\*\*\* (Add|Delete|Update) File: (.*)$/s;
const MOVE = '*** Move to: ';
const END_OF_FILE = '*** End of File';
const LINE_NUMBERS = /^-\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@.*)?$/;

function readSection(reader: Reader): EnvelopeSection {
  const patchLine = reader.at + 1;
  // Only a section header can be here, so its indentation is ignored.
  const [, verb, name = ''] = SECTION.exec(takeMarker(reader).trimStart()) ?? [];
  if (verb === undefined)
    throw patchFailure('"*** Add File:", "*** Delete File:" or "*** Update File:" is expected here.', {
      patchLine,
    });
  const path = checkedName(name, patchLine);
  if (verb === 'Delete') return { operation: 'delete', path };
  if (verb === 'Add') return { operation: 'create', path, text: readAdded(reader) };
  return readUpdate(reader, path, patchLine);
}

function readAdded(reader: Reader): string {
  const added: string[] = [];
  for (;;) {
    for (; lineAt(reader).startsWith('+'); reader.at++) added.push(`${lineAt(reader).slice(1)}\n`);
    // An empty line between lines with `+` is an added empty line whose `+` was trimmed.
    const blank = reader.at;
    skipBlank(reader);
    if (added.length === 0 || !lineAt(reader).startsWith('+')) return added.join('');
    added.push('\n'.repeat(reader.at - blank));
  }
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
    // Line numbers of a unified diff are ignored in an envelope: the place is found by the lines.
    const anchor = takeMarker(reader).slice(3).replace(LINE_NUMBERS, '');
    if (anchor.trim() !== '') anchors.push(anchor);
  }
  const lines = readHunkLines(reader, path);
  if (reader.at + 1 === patchLine) throw wrongLine(path, patchLine);
  const isAtEnd = lineAt(reader).startsWith(END_OF_FILE);
  if (isAtEnd) reader.at++;
  // Empty lines before the next marker are separators; only `*** End of File` makes them lines of the file.
  else while (lines.at(-1) === '') lines.pop();
  return { anchors, lines: lines.map((line) => (line === '' ? ' ' : line)), isAtEnd, patchLine };
}

function readHunkLines(reader: Reader, path: string): string[] {
  const lines: string[] = [];
  for (; !isSectionEnd(reader); reader.at++) {
    const line = lineAt(reader);
    if (line.startsWith('@@') || line.startsWith(END_OF_FILE)) break;
    if (!/^(?:[-+ ]|\r?$)/.test(line)) throw wrongLine(path, reader.at + 1);
    lines.push(line);
  }
  return lines;
}

function wrongLine(path: string, patchLine: number): ToolError {
  const message =
    'A line of a hunk starts with " " (context), "-" (remove) or "+" (add). Add the missing mark.';
  return patchFailure(message, { path, patchLine });
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

/** The envelope's own lines lose the `\r` of a CRLF patch; lines of files keep theirs. */
function takeMarker(reader: Reader): string {
  const line = lineAt(reader);
  reader.at++;
  return reader.isCrlf && line.endsWith('\r') ? line.slice(0, -1) : line;
}

// `apply_patch <<'EOF' … EOF` as a shell line: no such program exists, so a model that writes it means the tool.
/** The patch when it is the whole shell line, with paths relative to `cwd`; undefined for any other line. */
export function shellPatch(command: string, cwd: string): string | undefined {
  const [, folder = '.', call = ''] =
    /^\s*(?:cd\s+([\w./-]+)\s*&&\s*)?(apply_patch\s[\s\S]*)$/.exec(command) ?? [];
  const patch = hereDocument(call.replace(/^apply_patch\s+/, '')) ?? quoted(call);
  if (patch === undefined) return undefined;
  const folders = [cwd, folder].filter((part) => part !== '.');
  if (/^\s*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )/.test(patch))
    return folders.reduceRight(below, patch);
  return folders.length === 0 && /^\s*(?:diff --git |--- )/.test(patch) ? patch : undefined;
}

function quoted(call: string): string | undefined {
  return /^apply_patch\s+'([^']*)'\s*$/.exec(call)?.[1];
}

function below(patch: string, folder: string): string {
  const base = folder.replace(/\/+$/, '');
  return patch.replace(
    /^(\*\*\* (?:(?:Add|Delete|Update) File|Move to): )(?!\/)(.*)$/gm,
    (_line, mark: string, path: string) => `${mark}${base}/${path}`,
  );
}
