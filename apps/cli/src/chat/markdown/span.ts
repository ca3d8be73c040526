// A piece of text in one format, and lines made of such pieces: wrapped by the width that is seen, painted last.
import type { Paint } from '../../output/paint.ts';
import { wrapText } from '../../output/text-width.ts';

export type Format =
  | ('bold' | 'italic' | 'strikethrough' | 'underline' | 'dim')
  | ('cyan' | 'green' | 'magenta' | 'red' | 'yellow');
/** `link`: the address of a file that the text names. */
export type TextSpan = { text: string; formats: readonly Format[]; link?: string };

export function spanText(spans: readonly TextSpan[]): string {
  return spans.map(({ text }) => text).join('');
}

export function wrapSpans(spans: readonly TextSpan[], width: number): TextSpan[][] {
  const lines: TextSpan[][] = [];
  const rest = spans.map((span) => ({ ...span }));
  for (const line of wrapText(spanText(spans), width)) {
    const lineSpans: TextSpan[] = [];
    for (let remaining = line.length; remaining > 0; ) {
      const [next] = rest;
      if (next === undefined) break;
      const text = next.text.slice(0, remaining);
      if (text !== '') lineSpans.push({ ...next, text });
      remaining -= text.length;
      next.text = next.text.slice(text.length);
      if (next.text === '') rest.shift();
    }
    lines.push(withoutEnd(lineSpans));
  }
  return lines;
}

/** The space at which a line was wrapped is dropped. */
function withoutEnd(spans: readonly TextSpan[]): TextSpan[] {
  const last = spans.at(-1);
  return last === undefined ? [] : [...spans.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

export function paintSpans(spans: readonly TextSpan[], paint: Paint): string {
  return spans
    .map(({ text, formats, link }) => {
      const painted = formats.length === 0 ? text : paint([...formats], text);
      return link === undefined || text === '' ? painted : `\x1b]8;;${link}\x1b\\${painted}\x1b]8;;\x1b\\`;
    })
    .join('');
}
