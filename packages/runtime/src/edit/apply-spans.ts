/** The text with every span replaced; the spans come in order and do not overlap. */
import type { Span } from './span.ts';

export function applySpans(text: string, spans: readonly Span[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, replacement } of spans) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}
