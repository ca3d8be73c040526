/** Applies hunks to a text: exactly, or else once more with the line ends of a CRLF file; never by likeness. */
import type { Hunk } from './hunks.ts';
import { missedHunk } from './missed-hunk.ts';
import { placeHunks } from './place-hunks.ts';

/** What was let pass so that the patch applies; a human must be told. */
export type Tolerance = 'line endings';

export type AppliedHunks = {
  text: string;
  /** Per hunk, by how many lines it stands after (or, negative, before) its stated line. */
  offsets: number[];
  tolerant: Tolerance[];
};

/** `hasContext`: some hunk of the patch has context, be it in another file, so this one was made with context too. */
type Where = { path: string; hasContext?: boolean };

export function applyHunks(
  before: string,
  hunks: readonly Hunk[],
  { path, hasContext = hunks.some(isWithContext) }: Where,
): AppliedHunks {
  const exact = placeHunks(before, hunks, hasContext);
  if (exact.isPlaced) return { text: exact.text, offsets: exact.offsets, tolerant: [] };
  if (before.includes('\r\n') && hunks.every(hasNoCarriageReturns)) {
    const adapted = placeHunks(before, hunks.map(withCarriageReturns), hasContext);
    if (adapted.isPlaced) return { text: adapted.text, offsets: adapted.offsets, tolerant: ['line endings'] };
  }
  throw missedHunk(before, exact.miss, { path, hunks: hunks.length });
}

function isWithContext({ lines }: Hunk): boolean {
  return lines.some((line) => line.startsWith(' '));
}

function hasNoCarriageReturns({ lines }: Hunk): boolean {
  return !lines.some((line) => line.endsWith('\r'));
}

function withCarriageReturns(hunk: Hunk): Hunk {
  const lines = hunk.lines.map((line, index) => {
    const isOpen = line.startsWith('\\') || hunk.lines[index + 1]?.startsWith('\\');
    return isOpen ? line : `${line}\r`;
  });
  return { ...hunk, lines };
}
