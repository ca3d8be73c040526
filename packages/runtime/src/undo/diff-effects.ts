// What a call did to files, as one diff for each: from what stood there before it to what it left.
import type { Effect, FileState } from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import { decodeText } from '../workspace/text-files.ts';
import { findVersion, type Places } from './find-version.ts';

type FileDiff = {
  path: string;
  from?: string;
  op: Effect['op'];
  diff: string;
  /** Lines; null when they can't be counted. */
  added: number | null;
  removed: number | null;
  binary?: true;
  truncated?: true;
  /** Why there is no diff although something was changed. */
  gone?: string;
};

const maxFileBytes = 2 * 1024 * 1024;

/** `maxChars` bounds the text of all diffs together. */
export function diffEffects(
  effects: readonly Effect[],
  places: Places,
  { maxChars }: { maxChars: number },
): FileDiff[] {
  let left = maxChars;
  return shownEffects(effects).map((effect) => {
    const shown = diffEffect(effect, places, left);
    left -= shown.diff.length;
    return shown;
  });
}

/** Folders that were made on the way to a file go without saying. */
export function shownEffects(effects: readonly Effect[]): Effect[] {
  const files = effects.filter(({ op }) => op !== 'mkdir');
  return files.length > 0 ? files : [...effects];
}

function diffEffect({ op, path, from, before, after }: Effect, places: Places, maxBytes: number): FileDiff {
  const about = { path, ...(from !== undefined && { from }), op };
  const silent = { ...about, diff: '', added: null, removed: null };
  // A move carries the file over as it is; folders, links and devices have no lines.
  if (op === 'move' || ![before, after].every(isText)) return silent;
  if (maxBytes <= 0) return { ...silent, truncated: true };
  const [old, now] = [textOf(path, before, places), textOf(path, after, places)];
  if (typeof old === 'object' && old !== null) return { ...silent, ...old };
  if (typeof now === 'object' && now !== null) return { ...silent, ...now };
  const { text, additions, deletions, truncated } = unifiedDiff({ path, before: old, after: now, maxBytes });
  return {
    ...about,
    diff: text,
    added: additions,
    removed: deletions,
    ...(truncated && { truncated: true }),
  };
}

function isText(state: FileState | null): boolean {
  return state === null || state.type === 'file';
}

function textOf(
  path: string,
  state: FileState | null,
  places: Places,
): string | null | { binary: true } | { gone: string } {
  if (state === null) return null;
  if (state.size > maxFileBytes) return { gone: `It has ${state.size} bytes, too much to be compared.` };
  const bytes = findVersion(path, state, places);
  if (bytes === undefined) return { gone: 'What it was is no longer kept (14 days, 1 GiB).' };
  try {
    return decodeText(bytes, path).text;
  } catch {
    return { binary: true };
  }
}
