// A comment on one line of a hunk: the line, then the text. An existing comment is edited; an empty text removes it.
import { type DiffHunk, type ReviewItem, visible } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { askLine } from '../terminal/ask-line.ts';
import { printNotice, type Tty } from '../terminal/open-terminal.ts';
import type { ReviewProgress } from './review-state.ts';

type Place = { line: number; side: 'old' | 'new' };

export async function addComment(
  { terminal, signal }: { terminal: Tty; signal: AbortSignal },
  state: ReviewProgress,
  { hunk, file }: ReviewItem,
): Promise<ReviewProgress> {
  const path = state.found.files[file]?.path;
  if (hunk === undefined || path === undefined) return state;
  const otherComments = state.comments.filter(
    (comment) => comment.path === path && placeAt(hunk, comment) !== undefined,
  );
  const usual = otherComments.at(-1) ?? changedPlace(hunk);
  const range = `${hunk.newStart}–${hunk.newStart + Math.max(0, hunk.newLines - 1)}`;
  const typedLine = await askLine(terminal, {
    prompt: `  Line ${range}, or −N for a removed one [${lineLabel(usual)}]: `,
    signal,
  });
  if (typedLine === undefined) return state;
  const place = typedLine.trim() === '' ? usual : placeIn(hunk, typedLine);
  if (place === undefined) {
    printNotice(terminal, `  This hunk has no line ${visible(typedLine)}.`);
    return state;
  }
  const old = otherComments.find(({ line, side }) => line === place.line && side === place.side);
  const action = old === undefined ? 'Comment on' : 'Edit the comment on';
  const prompt = `  ${action} line ${lineLabel(place)}: `;
  const commentText = (
    await askLine(terminal, { prompt, signal, text: old?.text.replaceAll('\n', ' ') ?? '' })
  )?.trim();
  if (commentText === undefined) return state;
  const others = state.comments.filter((comment) => comment !== old);
  if (commentText === '') {
    if (old !== undefined) printNotice(terminal, `  The comment on line ${lineLabel(place)} is removed.`);
    return { ...state, comments: others };
  }
  const { line, side } = place;
  const comment = { id: old?.id ?? randomId(), path, line, side, text: commentText };
  return { ...state, comments: [...others, comment] };
}

/** The last added line, or else the last removed line. */
function changedPlace(hunk: DiffHunk): Place {
  const places = placesOf(hunk);
  const added = places.findLast(({ sign }) => sign === '+') ?? places.findLast(({ sign }) => sign === '-');
  const { line, side } = added ?? places.at(-1) ?? { line: Math.max(1, hunk.newStart), side: 'new' };
  return { line, side };
}

function placeIn(hunk: DiffHunk, text: string): Place | undefined {
  const [, minus, digits] = /^\s*([-−]?)\s*(\d{1,9})\s*$/.exec(text) ?? [];
  return placeAt(hunk, { side: minus === '' ? 'new' : 'old', line: Number(digits) });
}

function placeAt(hunk: DiffHunk, { line, side }: Place): Place | undefined {
  const isThere = placesOf(hunk).some((candidate) => candidate.side === side && candidate.line === line);
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

function lineLabel({ line, side }: Place): string {
  return side === 'old' ? `−${line}` : `${line}`;
}
