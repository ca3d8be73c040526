/** Reads a unified diff, with or without git headers: file by file the header, then the hunks; text between files is ignored. */
import type { ToolError } from '@codelab/protocol';
import { type FileHeader, type FilePatch, type PatchHunk, patchFailure } from '../file-patch.ts';
import { isBinaryNotice, isBinaryPatch, withoutBytes } from './binary-patch.ts';
import { parseGitHeader } from './parse-git-header.ts';
import { parseHunk } from './parse-hunk.ts';
import { parsePlainHeader } from './parse-plain-header.ts';

/** Names are decoded and have no prefix; whether a path may be touched is checked by the caller. */
export function parsePatch(text: string): FilePatch[] {
  const lines = text.split('\n');
  const isCut = lines.at(-1) !== '' && !lines.at(-1)?.startsWith('\\');
  if (lines.at(-1) === '') lines.pop();
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    const header = headerAt(lines, at);
    if (header === null) {
      refuseHalfDiff(lines[at] ?? '', at);
      at++;
      continue;
    }
    const { file, next } = withHunks(lines, header);
    if (isCut && next === lines.length) throw cutOff(next);
    files.push(file);
    at = next;
  }
  if (files.length === 0)
    throw patchFailure(
      'There is no diff in the text. Begin it with `--- a/PATH` and `+++ b/PATH`, or with `*** Begin Patch`.',
    );
  return files;
}

/** A last line without `\n` may have been cut, so it cannot be trusted; only `\ No newline…` is complete without one. */
function cutOff(patchLine: number): ToolError {
  return patchFailure('The patch is cut off: its last line does not end with a line feed.', { patchLine });
}

function headerAt(lines: readonly string[], at: number): FileHeader | null {
  if (lines[at]?.startsWith('diff --git ')) return parseGitHeader(lines, at);
  return isPlainHeader(lines, at) ? parsePlainHeader(lines, at) : null;
}

function isPlainHeader(lines: readonly string[], at: number): boolean {
  return (lines[at]?.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) ?? false;
}

function withHunks(lines: readonly string[], header: FileHeader): { file: FilePatch; next: number } {
  const { isCrlf, promisesHunks, next: start, ...fileHeader } = header;
  const path = fileHeader.newPath ?? fileHeader.oldPath ?? '';
  const hunks: PatchHunk[] = [];
  let next = start;
  while (promisesHunks && lines[next]?.startsWith('@@ -')) {
    const read = parseHunk(lines, next, { path, hunk: hunks.length + 1, isCrlf });
    if (overlaps(hunks.at(-1), read.hunk))
      throw patchFailure('The hunk overlaps the one before it, or they are out of order.', {
        path,
        hunk: hunks.length + 1,
        patchLine: next + 1,
      });
    hunks.push(read.hunk);
    next = read.next;
  }
  if (promisesHunks && hunks.length === 0)
    throw patchFailure('A hunk header such as "@@ -1,2 +1,2 @@" must follow.', { path, patchLine: next + 1 });
  const file = { ...fileHeader, hunks };
  refuseWrongSides(file, path);
  if (hunks.length > 0) refuseSurplus(lines, next, { path, hunk: hunks.length });
  return { file: withModes(file), next };
}

/** Two insertions at one place have no order, so they also count as overlapping. */
function overlaps(before: PatchHunk | undefined, hunk: PatchHunk): boolean {
  if (before === undefined) return false;
  const end = firstLine(before) + before.oldLines;
  const areBothEmpty = before.oldLines === 0 && hunk.oldLines === 0;
  return firstLine(hunk) < end || (firstLine(hunk) === end && areBothEmpty);
}

function firstLine(hunk: PatchHunk): number {
  return hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
}

function refuseWrongSides({ operation, hunks }: FilePatch, path: string): void {
  if (operation === 'create' && hunks.some((hunk) => hunk.oldLines > 0))
    throw patchFailure('The file is new, but a hunk depends on old lines.', { path });
  if (operation === 'delete' && hunks.some((hunk) => hunk.newLines > 0))
    throw patchFailure('The file is deleted, but a hunk leaves lines in it.', { path });
  if ((operation === 'create' || operation === 'delete') && hunks.length > 1)
    throw patchFailure('A created or deleted file has one hunk.', { path });
}

/** A plain header has no modes, so a created or deleted file gets the default one. */
function withModes(file: FilePatch): FilePatch {
  if (file.operation === 'create') return { newMode: 0o100644, ...file };
  if (file.operation === 'delete') return { oldMode: 0o100644, ...file };
  return file;
}

/** git ignores lines beyond the counts of the last hunk header without an error; such lines are refused here. */
function refuseSurplus(lines: readonly string[], start: number, place: { path: string; hunk: number }): void {
  let at = start;
  while (at < lines.length && BLANK_OR_SIGNATURE.test(lines[at] ?? '')) at++;
  if (!/^[-+ \\]/.test(lines[at] ?? '') || isPlainHeader(lines, at)) return;
  throw patchFailure('More lines follow than the hunk header promises.', { ...place, patchLine: at + 1 });
}

/** `-- ` precedes the signature of an e-mail. */
const BLANK_OR_SIGNATURE = /^(?:-- ?)?\r?$/;

/** Text between files is ignored, except lines that look like parts of a diff. */
function refuseHalfDiff(line: string, at: number): void {
  const place = { patchLine: at + 1 };
  if (line.startsWith('@@ -')) throw patchFailure('This hunk has no file header.', place);
  if (line.startsWith('@@@ ') || line.startsWith('diff --cc ') || line.startsWith('diff --combined '))
    throw patchFailure('Combined diffs of a merge are not supported.', place);
  if (isBinaryPatch(line)) throw patchFailure('This binary patch has no file header.', place);
  if (isBinaryNotice(line)) throw withoutBytes(place);
}
