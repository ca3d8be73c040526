// The contents of a traced file without the agent's changes and now: lines where one of them is text, bytes elsewhere.
import type { FileState } from '@codelab/protocol';
import { splitAtLineFeeds } from '../patch/unified-diff.ts';
import { digest } from '../platform/digest.ts';
import { isSameState } from '../undo/present-state.ts';
import { isSameTime } from '../workspace/commit/change.ts';
import { decodeText } from '../workspace/text-files.ts';
import { type FollowedLines, followAgent, followUser } from './follow-lines.ts';
import type { TracedFile } from './trace-files.ts';

/** `lines` only of text; `bytes` of any file that is small enough to be compared; `link` is where a symbolic link leads. */
export type Content = { state: FileState; bytes?: Buffer; lines?: readonly string[]; link?: string };

/** Null means no file; undefined, a file whose content is no longer stored. */
export type LoadContent = (state: FileState | null) => Content | null | undefined;

export type ComparedContents = {
  base: Content | null;
  now: Content | null;
  /** Set where one of the two is text. The other has none when it is missing, binary or no file. */
  lines?: FollowedLines;
  /** Why the base is unknown. */
  gone?: string;
  /** A note on what the comparison omits. */
  note?: string;
};

/** The type of an entry. `text` and `binary` are files that were compared; `file` is one too large to compare. */
type EntryType = {
  type: 'text' | 'binary' | 'file' | 'symlink' | 'directory' | 'other';
  /** The target of a symbolic link. */
  target?: string;
};

/** Null where nothing exists. */
export type EntryTypes = { before: EntryType | null; after: EntryType | null };

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

/** Undefined where they go without saying: neither is a symbolic link, and nothing was replaced by something of another type. */
export function entryTypes(base: Content | null, now: Content | null): EntryTypes | undefined {
  const [before, after] = [base && entryType(base), now && entryType(now)];
  const isLink = before?.type === 'symlink' || after?.type === 'symlink';
  const isReplaced = before !== null && after !== null && before.type !== after.type;
  return isLink || isReplaced ? { before, after } : undefined;
}

function entryType({ state, bytes, lines, link }: Content): EntryType {
  if (state.type === 'symlink') return { type: 'symlink', ...(link !== undefined && { target: link }) };
  if (state.type !== 'file') return { type: state.type };
  return { type: lines !== undefined ? 'text' : bytes !== undefined ? 'binary' : 'file' };
}

export function compareContents(
  { origin, others }: TracedFile,
  now: FileState | null,
  load: LoadContent,
): ComparedContents {
  const present = load(now);
  if (present === undefined)
    return { base: null, now: null, gone: 'The file is being changed right now. Reload the review.' };
  const first = load(origin.state);
  if (first === undefined && others.length === 0)
    return {
      base: null,
      now: present,
      gone: 'The content before the changes is no longer stored (14 days, 1 GiB).',
    };
  let running: Base = { base: first };
  let note: string | undefined;
  for (const { before, after } of others) {
    const [beforeContent, afterContent] = [load(before), load(after)];
    const isKnown =
      running.base !== undefined &&
      (beforeContent !== undefined || isSameState(before, stateOf(running.base)));
    if (!isKnown) note = unknownLines;
    running = afterOther(running, { before, beforeContent, after, afterContent });
  }
  const { base } = running;
  if (base === undefined)
    return {
      base: null,
      now: present,
      gone: 'The version that a person wrote in between is no longer stored.',
    };
  const followed = linesOf(running);
  const presentLines = linesIn(present);
  const isText = base?.lines !== undefined || present?.lines !== undefined;
  const lines = isText && followed && presentLines ? followAgent(followed, presentLines) : undefined;
  return { base, now: present, ...(lines && { lines }), ...(note !== undefined && { note }) };
}

const unknownLines =
  'Changed by you as well, after a call whose result was not kept: what the agent did before that is not shown.';

type Base = { base: Content | null | undefined; lines?: FollowedLines };

type Other = {
  before: FileState | null;
  beforeContent: Content | null | undefined;
  after: FileState | null;
  afterContent: Content | null | undefined;
};

/** The base after a change from outside: it gets the new lines where both contents are text, otherwise the whole new content. */
function afterOther(running: Base, { before, beforeContent, after, afterContent }: Other): Base {
  const { base } = running;
  if (base === undefined || isSameState(before, stateOf(base))) return { base: afterContent };
  const userLines = afterContent?.lines;
  const followed = linesOf(running);
  if (after === null || userLines === undefined || !beforeContent?.lines || followed === undefined)
    return { base: afterContent };
  const lines = followUser(followAgent(followed, beforeContent.lines), userLines);
  // The file holds only the agent's lines, so the base stays what it was before the agent wrote: no file, or no text.
  if (base?.lines === undefined && lines.base.length === 0) return { base };
  const mode = base?.lines === undefined || after.mode !== before?.mode ? after.mode : base.state.mode;
  return { base: textContent(lines.base, mode), lines };
}

function linesOf({ base, lines }: Base): FollowedLines | undefined {
  if (lines !== undefined) return lines;
  const baseLines = base === undefined ? undefined : linesIn(base);
  return baseLines && { base: baseLines, now: baseLines };
}

/** The lines of a text; none for any other entry, so that its diff removes all lines. Undefined for a file that was not read. */
function linesIn(content: Content | null): readonly string[] | undefined {
  if (content === null || content.lines !== undefined) return content?.lines ?? [];
  return entryType(content).type === 'file' ? undefined : [];
}

export function textContent(lines: readonly string[], mode: number): Content {
  const bytes = Buffer.from(lines.join(''), 'utf8');
  return { state: { type: 'file', size: bytes.length, mode, digest: digest(bytes) }, bytes, lines };
}

function stateOf(content: Content | null | undefined): FileState | null {
  return content?.state ?? null;
}

export function isSameContent(base: Content | null, now: Content | null): boolean {
  if (base?.bytes === undefined || now?.bytes === undefined)
    return hasSameState(base?.state ?? null, now?.state ?? null);
  return base.state.mode === now.state.mode && base.bytes.equals(now.bytes);
}

/** As the review compares: the content of a file is compared where it is known. */
export function hasSameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.type !== b.type || a.mode !== b.mode) return false;
  const isSameContent = a.size === b.size && (a.digest ?? b.digest) === (b.digest ?? a.digest);
  return a.type === 'directory' || (isSameContent && isSameTime(a, b));
}
