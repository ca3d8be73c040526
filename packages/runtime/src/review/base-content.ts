// What a traced file would be without the agent's changes, and what it is now, as contents: lines where both are text, bytes elsewhere.
import type { FileState } from '@codelab/protocol';
import { splitAtLineFeeds } from '../patch/unified-diff.ts';
import { digest } from '../platform/digest.ts';
import { isSameState } from '../undo/reverse-effect.ts';
import { decodeText } from '../workspace/text-files.ts';
import { type FollowedLines, followAgent, followUser } from './follow-lines.ts';
import type { TracedFile } from './trace-files.ts';

/** `lines` only of text; `bytes` of any file that is small enough to be compared; `link` is where a symbolic link leads. */
export type Content = { state: FileState; bytes?: Buffer; lines?: readonly string[]; link?: string };

/** Null is no file; undefined one whose content nobody has any more. */
export type LoadContent = (state: FileState | null) => Content | null | undefined;

export type ComparedContents = {
  base: Content | null;
  now: Content | null;
  /** Where both are text. */
  lines?: FollowedLines;
  /** Why the base can't be told. */
  gone?: string;
  /** What the comparison leaves out. */
  note?: string;
};

export const mostComparedBytes = 2 * 1024 * 1024;

/** The text of a file line by line, byte order mark and all: joined they are its bytes again. */
export function contentOf(state: FileState, bytes: Buffer | undefined): Content {
  if (bytes === undefined) return { state };
  try {
    decodeText(bytes, '');
    return { state, bytes, lines: splitAtLineFeeds(bytes.toString('utf8')) };
  } catch {
    return { state, bytes };
  }
}

export function compareContents(
  { origin, others }: TracedFile,
  now: FileState | null,
  load: LoadContent,
): ComparedContents {
  const present = load(now);
  if (present === undefined)
    return { base: null, now: null, gone: 'It is being changed right now. Look again.' };
  const first = load(origin.state);
  if (first === undefined && others.length === 0)
    return { base: null, now: present, gone: 'What it was before is no longer kept (14 days, 1 GiB).' };
  let kept: Base = { base: first };
  let note: string | undefined;
  for (const { before, after } of others) {
    const [left, found] = [load(before), load(after)];
    const isKnown =
      kept.base !== undefined && (left !== undefined || isSameState(before, stateOf(kept.base)));
    if (!isKnown) note = unknownLines;
    kept = afterOther(kept, { before, left, after, found });
  }
  const { base } = kept;
  if (base === undefined)
    return { base: null, now: present, gone: 'What its user made of it in between is no longer kept.' };
  const followed = linesOf(kept);
  const shown = present === null ? [] : present.lines;
  const lines = followed && shown && followAgent(followed, shown);
  return { base, now: present, ...(lines && { lines }), ...(note !== undefined && { note }) };
}

const unknownLines =
  'Changed by you as well, after a call whose result was not kept: what the agent did before that is not shown.';

type Base = { base: Content | null | undefined; lines?: FollowedLines };

type Other = {
  before: FileState | null;
  left: Content | null | undefined;
  after: FileState | null;
  found: Content | null | undefined;
};

/** Somebody else has changed the file: where lines can tell, the base gets their lines; elsewhere it is what they made of it. */
function afterOther(kept: Base, { before, left, after, found }: Other): Base {
  const { base } = kept;
  if (base === undefined || isSameState(before, stateOf(base))) return { base: found };
  const theirs = found?.lines;
  const followed = linesOf(kept);
  if (after === null || theirs === undefined || !left?.lines || followed === undefined)
    return { base: found };
  const lines = followUser(followAgent(followed, left.lines), theirs);
  // Nothing in it but the agent's lines: without them there is no file.
  if (base === null && lines.base.length === 0) return { base: null };
  const mode = base === null || after.mode !== before?.mode ? after.mode : base.state.mode;
  return { base: textContent(lines.base, mode), lines };
}

/** A file that was not there has no lines. */
function linesOf({ base, lines }: Base): FollowedLines | undefined {
  if (lines !== undefined) return lines;
  if (base === null) return { base: [], now: [] };
  return base?.lines && { base: base.lines, now: base.lines };
}

export function textContent(lines: readonly string[], mode: number): Content {
  const bytes = Buffer.from(lines.join(''), 'utf8');
  return { state: { type: 'file', size: bytes.length, mode, digest: digest(bytes) }, bytes, lines };
}

function stateOf(content: Content | null | undefined): FileState | null {
  return content?.state ?? null;
}
