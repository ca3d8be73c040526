// The differing parts of two lines, word by word. Lines with little in common are left whole: marks everywhere would show nothing.
import { commonLines } from '@codelab/protocol';

/** From and to, in characters of the line. */
export type WordRange = readonly [from: number, to: number];
export type ChangedWords = { before: readonly WordRange[]; after: readonly WordRange[] };

const most = 400;

export function changedWords(before: string, after: string): ChangedWords | undefined {
  const a = words(before);
  const b = words(after);
  if (before === after || a.length > most || b.length > most) return undefined;
  const keep = commonLines(a, b);
  const sharedLength = keep.reduce((sum, [i]) => sum + (a[i]?.trim().length ?? 0), 0);
  const longer = Math.max(before.trim().length, after.trim().length);
  if (sharedLength * 3 < longer) return undefined;
  return {
    before: rangesOf(a, new Set(keep.map(([i]) => i))),
    after: rangesOf(b, new Set(keep.map(([, j]) => j))),
  };
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function rangesOf(tokens: readonly string[], shared: ReadonlySet<number>): WordRange[] {
  const ranges: WordRange[] = [];
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    const end = at + token.length;
    const last = ranges.at(-1);
    if (!shared.has(i)) {
      if (last?.[1] === at) ranges[ranges.length - 1] = [last[0], end];
      else ranges.push([at, end]);
    }
    at = end;
  }
  return ranges;
}
