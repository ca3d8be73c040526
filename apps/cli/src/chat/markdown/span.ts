// A piece of text in one format, and lines made of such pieces: broken to a width by what is seen, painted last.
import type { Paint } from '../../output/paint.ts';
import { wrapText } from '../../output/wrap-text.ts';

export type Format = 'bold' | 'italic' | 'strikethrough' | 'underline' | 'cyan' | 'dim';
export type Span = { text: string; formats: readonly Format[] };

export function plainText(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join('');
}

export function wrapSpans(spans: readonly Span[], width: number): Span[][] {
  const lines: Span[][] = [];
  const left = spans.map((span) => ({ ...span }));
  for (const line of wrapText(plainText(spans), width)) {
    const taken: Span[] = [];
    for (let room = line.length; room > 0; ) {
      const [next] = left;
      if (next === undefined) break;
      const text = next.text.slice(0, room);
      if (text !== '') taken.push({ ...next, text });
      room -= text.length;
      next.text = next.text.slice(text.length);
      if (next.text === '') left.shift();
    }
    lines.push(withoutEnd(taken));
  }
  return lines;
}

// The space at which a line was broken is not seen.
function withoutEnd(spans: readonly Span[]): Span[] {
  const last = spans.at(-1);
  return last === undefined ? [] : [...spans.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

export function paintSpans(spans: readonly Span[], paint: Paint): string {
  return spans.map(({ text, formats }) => (formats.length === 0 ? text : paint([...formats], text))).join('');
}
