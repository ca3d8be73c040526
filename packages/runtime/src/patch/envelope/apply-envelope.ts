/** Reads a `*** Begin Patch` envelope and turns it into the file patches a unified diff would hold. */
import { diffLines } from '@codelab/protocol';
import { type FilePatch, type PatchHunk, patchFailure, type Tolerance } from '../file-patch.ts';
import { applyPatchHunks } from '../place-hunks.ts';
import { hunksFrom, splitAtLineFeeds } from '../unified-diff.ts';
import { placeEnvelopeHunks } from './place-envelope-hunks.ts';
import { type EnvelopeSection, readPatchEnvelope } from './read-envelope.ts';

/**
 * An envelope has no line numbers, so `readOld` must return the text of each file that the envelope changes or deletes. `spell`
 * normalizes paths.
 */
export function parseEnvelope(
  text: string,
  readOld: (path: string) => string,
  spell = (path: string): string => path,
): FilePatch[] {
  // A file may have two sections; the second is written against the result of the first.
  const results = new Map<string, () => string>();
  const read = (path: string) => results.get(path)?.() ?? readOld(path);
  return readPatchEnvelope(text).map((written) => {
    const section = { ...written, path: spell(written.path) };
    if (section.operation === 'update') section.newPath = spell(section.newPath);
    const before = section.operation === 'create' ? '' : read(section.path);
    const file = toFilePatch(section, before);
    const path = file.newPath ?? section.path;
    results.set(path, () => applyPatchHunks(before, file.hunks, { path }).text);
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
      const changed = updateHunks(section, before);
      if (newPath !== path) return { oldPath: path, newPath, operation: 'rename', ...changed };
      if (changed.hunks.length === 0)
        throw patchFailure('The file already is what the section makes of it. Leave the section out.', {
          path,
        });
      return { oldPath: path, newPath, operation: 'update', ...changed };
    }
  }
}

/**
 * Hunks without `\r` are matched against a CRLF file as if it had LF only; the difference in line endings is found and reported when the
 * hunks are applied.
 */
function updateHunks(
  { path, hunks }: EnvelopeSection & { operation: 'update' },
  before: string,
): { hunks: PatchHunk[]; tolerant?: Tolerance[] } {
  const hasCarriageReturns = hunks.some((hunk) => hunk.lines.some((line) => line.endsWith('\r')));
  const isAllCrlf = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
  const text = isAllCrlf && !hasCarriageReturns ? before.replaceAll('\r\n', '\n') : before;
  const placed = placeEnvelopeHunks(text, hunks, path);
  const { tolerant } = placed;
  return { hunks: hunksBetween(text, placed.text), ...(tolerant.length > 0 && { tolerant }) };
}

function hunksBetween(before: string, after: string): PatchHunk[] {
  const oldLines = splitAtLineFeeds(before);
  const newLines = splitAtLineFeeds(after);
  return hunksFrom(oldLines, newLines, diffLines(oldLines, newLines));
}
