// A change of one text file, from the new text a tool wants to the bytes on the disk. Every edit-kind tool goes through here.
import { randomBytes } from 'node:crypto';
import type { Diff, Effect, FileState } from '@codelab/protocol';
import type { PlanContext, RunContext } from '../define-tool.ts';
import { unifiedDiff } from '../patch/unified-diff.ts';
import { digest } from './digest.ts';
import { fileState } from './file-state.ts';
import { identity } from './identity.ts';
import type { Located } from './locate.ts';
import { makeParents } from './make-parents.ts';
import { readBytes, tooLarge } from './read-bytes.ts';
import { decodeText, encodeText } from './text.ts';
import { writeFile } from './write-file.ts';

/** The file as the plan found it; `state` is null when there is none. */
export type OldText = { text: string; hasBom: boolean; identity: string; state: FileState | null };

export type TextChange = {
  asked: string;
  path: string;
  before: string | null;
  after: string;
  bytes: Buffer;
  /** Identity of the old file, or `absent`. */
  expected: string;
  temp: string;
  operation: 'created' | 'updated' | 'unchanged';
  diff: Diff;
  intents: Effect[];
};

export async function readOldText(place: Located, { limits, signal }: PlanContext): Promise<OldText> {
  if (place.stat === undefined) return { text: '', hasBom: false, identity: 'absent', state: null };
  const { bytes, stat } = await readBytes(place, limits.writeBytes, signal);
  const { text, hasBom } = decodeText(bytes, place.asked);
  return { text, hasBom, identity: identity(stat), state: fileState(stat, digest(bytes)) };
}

export function planTextChange(
  place: Located,
  old: OldText,
  wanted: string,
  { limits }: PlanContext,
): TextChange {
  const after = withoutGivenMark(wanted, old);
  const bytes = encodeText({ text: after, hasBom: old.hasBom });
  if (bytes.length > limits.writeBytes) throw tooLarge(place.asked, bytes.length, limits.writeBytes);
  const before = old.state === null ? null : old.text;
  const diff = unifiedDiff({ path: place.path, before, after, maxBytes: limits.diffBytes });
  const operation = before === null ? 'created' : before === after ? 'unchanged' : 'updated';
  const temp = `.codelab-${randomBytes(9).toString('hex')}.tmp`;
  const mode = old.state?.mode ?? 0o666 & ~process.umask();
  const effect: Effect = {
    op: old.state === null ? 'create' : 'update',
    path: place.path,
    before: old.state,
    after: { type: 'file', size: bytes.length, mode, digest: digest(bytes) },
    temp,
  };
  const intents = operation === 'unchanged' ? [] : [...missingDirectories(place), effect];
  return {
    asked: place.asked,
    path: place.path,
    before,
    after,
    bytes,
    expected: old.identity,
    temp,
    operation,
    diff,
    intents,
  };
}

// The old file's byte order mark is kept anyway; content that brings it again does not get a second one.
function withoutGivenMark(wanted: string, old: OldText): string {
  const isGiven = old.hasBom && wanted.startsWith('\ufeff') && !old.text.startsWith('\ufeff');
  return isGiven ? wanted.slice(1) : wanted;
}

/** Does it, and returns the effects it had. */
export async function applyTextChange(change: TextChange, context: RunContext): Promise<Effect[]> {
  if (change.operation === 'unchanged') return [];
  const { workspace, limits, home, lock, signal } = context;
  const { bytes, expected, temp, intents } = change;
  using asked = workspace.locate(change.asked, {
    followLast: true,
    access: 'write',
    pathChars: limits.pathChars,
  });
  using parents = makeParents(asked);
  const stat = await writeFile({
    place: parents.place,
    bytes,
    expected,
    temp,
    root: workspace.root.real,
    home,
    lock,
    signal,
  });
  parents.keep();
  return intents.map(({ temp: _, ...effect }) =>
    effect.op === 'mkdir' ? effect : { ...effect, after: fileState(stat, digest(bytes)) },
  );
}

/** The folders that will have to be made, as effects. */
export function missingDirectories(place: Located): Effect[] {
  const existing = place.path.split('/').slice(0, -1 - place.missing.length);
  const mode = 0o777 & ~process.umask();
  return place.missing.map((_, i) => {
    const path = [...existing, ...place.missing.slice(0, i + 1)].join('/');
    return { op: 'mkdir', path, before: null, after: { type: 'directory', size: 0, mode } };
  });
}
