// A comment on one line of a hunk: the line, then the text. An existing comment is edited; an empty text removes it.
import { type DiffHunk, type ReviewItem, visible } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { askLine } from '../terminal/ask-line.ts';
import { say, type Tty } from '../terminal/open-terminal.ts';
import type { ReviewProgress } from './review-state.ts';

type Place = { line: number; side: 'old' | 'new' };

export async function addComment(
  { terminal, signal }: { terminal: Tty; signal: AbortSignal },
  state: ReviewProgress,
  { hunk, file }: ReviewItem,
): Promise<ReviewProgress> {
  const path = state.found.files[file]?.path;
  if (hunk === undefined || path === undefined) return state;
  const known = state.comments.filter((one) => one.path === path && placeAt(hunk, one) !== undefined);
  const usual = known.at(-1) ?? changedPlace(hunk);
  const range = `${hunk.newStart}–${hunk.newStart + Math.max(0, hunk.newLines - 1)}`;
  const typed = await askLine(terminal, {
    prompt: `  Line ${range}, or −N for a removed one [${shown(usual)}]: `,
    signal,
  });
  if (typed === undefined) return state;
  const place = typed.trim() === '' ? usual : placeIn(hunk, typed);
  if (place === undefined) {
    say(terminal, `  This hunk has no line ${visible(typed)}.`);
    return state;
  }
  const old = known.find(({ line, side }) => line === place.line && side === place.side);
  const what = old === undefined ? 'Comment on' : 'Edit the comment on';
  const prompt = `  ${what} line ${shown(place)}: `;
  const said = (
    await askLine(terminal, { prompt, signal, text: old?.text.replaceAll('\n', ' ') ?? '' })
  )?.trim();
  if (said === undefined) return state;
  const others = state.comments.filter((one) => one !== old);
  if (said === '') {
    if (old !== undefined) say(terminal, `  The comment on line ${shown(place)} is removed.`);
    return { ...state, comments: others };
  }
  const { line, side } = place;
  const made = { id: old?.id ?? randomId(), path, line, side, text: said };
  return { ...state, comments: [...others, made] };
}

/** The last added line, or else the last removed line. */
function changedPlace(hunk: DiffHunk): Place {
  const places = placesOf(hunk);
  const added = places.findLast(({ sign }) => sign === '+') ?? places.findLast(({ sign }) => sign === '-');
  const { line, side } = added ?? places.at(-1) ?? { line: Math.max(1, hunk.newStart), side: 'new' };
  return { line, side };
}

function placeIn(hunk: DiffHunk, typed: string): Place | undefined {
  const [, minus, digits] = /^\s*([-−]?)\s*(\d{1,9})\s*$/.exec(typed) ?? [];
  return placeAt(hunk, { side: minus === '' ? 'new' : 'old', line: Number(digits) });
}

function placeAt(hunk: DiffHunk, { line, side }: Place): Place | undefined {
  const isThere = placesOf(hunk).some((one) => one.side === side && one.line === line);
  return isThere ? { line, side } : undefined;
}

function placesOf({ oldStart, newStart, lines }: DiffHunk): (Place & { sign: string })[] {
  let oldAt = oldStart;
  let newAt = newStart;
  return lines.flatMap((text): (Place & { sign: string })[] => {
    const sign = text.charAt(0);
    if (sign === '-') return [{ line: oldAt++, side: 'old', sign }];
    if (sign === '\\') return [];
    if (sign === ' ') oldAt++;
    return [{ line: newAt++, side: 'new', sign }];
  });
}

function shown({ line, side }: Place): string {
  return side === 'old' ? `−${line}` : `${line}`;
}
