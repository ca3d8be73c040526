// A line as spans for the screen: differences are marked, invisible characters are made visible, and whitespace on request.

import type { Misleading } from '@codelab/protocol';
import { visibleLine } from '@codelab/protocol';
import type { WordRange } from './changed-words.ts';
import type { Stroke } from './paint-hunk.ts';

export type Whitespace = 'none' | 'changed' | 'all';
type SpanLook = 'plain' | 'word' | 'blank' | 'warning';
/** `color` is a class; what differs has none, its mark is louder. */
export type LineSpan = { text: string; look: SpanLook; isChanged: boolean; color: string };

type Options = {
  changed: readonly WordRange[];
  warnings: readonly Misleading[];
  strokes: readonly Stroke[];
  whitespace: Whitespace;
  /** Whether the line itself is added or removed. */
  isChange: boolean;
  /** The end of the line is not as its neighbours': a CR is then shown unless nothing is wanted. */
  hasOddEnd: boolean;
};

export function spellLine(text: string, options: Options): LineSpan[] {
  const cuts = new Set([0, text.length]);
  for (const [from, to] of [...options.changed, ...options.warnings.map(({ range }) => range)])
    cuts.add(from).add(to);
  for (const { from, to } of options.strokes) cuts.add(from).add(to);
  const points = [...cuts].filter((at) => !isInside(text, at)).sort((a, b) => a - b);
  return joined(points.slice(1).flatMap((to, i) => spellPart(text, [points[i] ?? 0, to], options)));
}

/** Neighbours that look the same are one: each span is an element or a text node of the page. */
function joined(spans: readonly LineSpan[]): LineSpan[] {
  const found: LineSpan[] = [];
  for (const span of spans) {
    const last = found.at(-1);
    const isSame = last?.look === 'plain' && span.look === 'plain' && last.isChanged === span.isChanged;
    if (isSame && last.color === span.color) last.text += span.text;
    else found.push({ ...span });
  }
  return found;
}

function spellPart(text: string, [from, to]: WordRange, options: Options): LineSpan[] {
  const range = options.changed.find(([start, end]) => start <= from && to <= end);
  const isChanged = range !== undefined;
  // The spaces between words that changed are no difference of their own.
  const isBlank = range !== undefined && text.slice(...range).trim() === '';
  const warned = options.warnings.some(({ range: [start, end] }) => start <= from && to <= end);
  const part = text.slice(from, to);
  if (warned) return [{ text: visibleLine(part), look: 'warning', isChanged, color: '' }];
  const stroke = isChanged
    ? undefined
    : options.strokes.find((candidate) => candidate.from <= from && to <= candidate.to);
  const color = stroke?.className ?? '';
  return [...part.matchAll(/\r$|\t| +|[^\t\r ]+|\r/g)].flatMap(({ 0: token, index }): LineSpan[] => {
    const end = from + index + token.length;
    const isTrailing = /^[ \t]*\r?$/.test(text.slice(end));
    const isShown = shows(token, { isBlank, isTrailing, isLast: end === text.length }, options);
    return spellToken(token, isShown).map((span) => ({
      ...span,
      isChanged,
      color: span.look === 'plain' ? color : '',
    }));
  });
}

/** `isBlank`: in a part that differs in nothing but whitespace. */
type Place = { isBlank: boolean; isTrailing: boolean; isLast: boolean };

function shows(token: string, place: Place, { whitespace, isChange, hasOddEnd }: Options): boolean {
  if (whitespace === 'all') return true;
  if (token === '\r' && place.isLast) return whitespace === 'changed' && hasOddEnd;
  if (whitespace === 'none' || !isChange) return false;
  return place.isBlank || place.isTrailing || token === '\t';
}

function spellToken(token: string, isShown: boolean): Pick<LineSpan, 'text' | 'look'>[] {
  if (token === '\r') return isShown ? [{ text: '␍', look: 'blank' }] : [];
  if (token === '\t') return [{ text: isShown ? '→\t' : '\t', look: isShown ? 'blank' : 'plain' }];
  if (!token.startsWith(' ')) return [{ text: visibleLine(token), look: 'plain' }];
  return [{ text: isShown ? '·'.repeat(token.length) : token, look: isShown ? 'blank' : 'plain' }];
}

/** Between the halves of one character. */
function isInside(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
