// Spans of a text and their replacements: applied together, or two lists composed into one.

/** A half-open range of a text, in UTF-16 units, and its replacement. Either may be empty. */
export type ReplacedSpan = { start: number; end: number; replacement: string };

/**
 * Composes two successive changes into one change of the first text. Spans that touch or overlap are merged. The texts themselves are not
 * needed, because the part of a merged span that survives was written by the first change.
 */

/** `first` leads from the old text to the middle one, `second` from the middle one to the new one; both are in order. */
export function composeSpans(
  first: readonly ReplacedSpan[],
  second: readonly ReplacedSpan[],
): ReplacedSpan[] {
  const composed: ReplacedSpan[] = [];
  let group: Group = { firstAt: 0, secondAt: 0, shift: 0 };
  while (group.firstAt < first.length || group.secondAt < second.length) {
    const { span, next } = takeGroup(first, second, group);
    composed.push(span);
    group = next;
  }
  return composed;
}

/** Where a group of touching spans begins in both lists; `shift` converts old offsets to middle ones. */
type Group = { firstAt: number; secondAt: number; shift: number };

function takeGroup(first: readonly ReplacedSpan[], second: readonly ReplacedSpan[], from: Group) {
  const next = { ...from };
  const low = Math.min(startOf(first[from.firstAt], from.shift), startOf(second[from.secondAt], 0));
  let high = low;
  for (;;) {
    const written = first[next.firstAt];
    const replaced = second[next.secondAt];
    if (written && startOf(written, next.shift) <= high) {
      next.shift += written.replacement.length - (written.end - written.start);
      high = Math.max(high, written.end + next.shift);
      next.firstAt++;
    } else if (replaced && replaced.start <= high) {
      high = Math.max(high, replaced.end);
      next.secondAt++;
    } else break;
  }
  const readKept = keptText(first.slice(from.firstAt, next.firstAt), from.shift);
  let replacement = '';
  let at = low;
  for (const span of second.slice(from.secondAt, next.secondAt)) {
    replacement += readKept(at, span.start) + span.replacement;
    at = span.end;
  }
  replacement += readKept(at, high);
  return { span: { start: low - from.shift, end: high - next.shift, replacement }, next };
}

function startOf(span: ReplacedSpan | undefined, shift: number): number {
  return span === undefined ? Number.POSITIVE_INFINITY : span.start + shift;
}

/** Reads ranges of the middle text, in rising order, from what the first change wrote. */
function keptText(written: readonly ReplacedSpan[], shift: number): (start: number, end: number) => string {
  let index = 0;
  let offset = shift;
  return (start, end) => {
    let text = '';
    for (let span = written[index]; span !== undefined; span = written[index]) {
      const begin = span.start + offset;
      const close = begin + span.replacement.length;
      if (begin >= end) break;
      text += span.replacement.slice(Math.max(0, start - begin), end - begin);
      if (close > end) break;
      offset += span.replacement.length - (span.end - span.start);
      index++;
    }
    return text;
  };
}

/** Replaces every span; the spans are in order and do not overlap. */
export function applySpans(text: string, spans: readonly ReplacedSpan[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, replacement } of spans) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}
