// One line of Markdown outside of code and tables, as lines for the screen: heading, rule, quote, list item or plain text.
import { displayWidth } from '../../output/display-width.ts';
import type { Paint } from '../../output/paint.ts';
import { inlineSpans } from './inline-spans.ts';
import { paintSpans, type Span, wrapSpans } from './span.ts';

export type Setting = { columns: number; paint: Paint };

const narrowest = 20;
const widestRule = 60;

export function blockLines(line: string, { columns, paint }: Setting): string[] {
  const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
  if (heading !== null) {
    const [, level = '', text = ''] = heading;
    const spans = inlineSpans(text, level.length < 3 ? ['bold', 'underline'] : ['bold']);
    return wrapSpans(spans, columns).map((one) => paintSpans(one, paint));
  }
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line))
    return [paint('dim', '─'.repeat(Math.min(columns, widestRule)))];
  const quote = /^ {0,3}((?:> ?)+)(.*)$/.exec(line);
  if (quote !== null) {
    const [, depth = '', text = ''] = quote;
    const bar = paint('dim', '▌ '.repeat(depth.replaceAll(' ', '').length));
    return hang({ first: bar, rest: bar }, inlineSpans(text, ['italic']), { columns, paint });
  }
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (item !== null) {
    const [, indent = '', sign = '', task, text = ''] = item;
    const bullet = /\d/.test(sign) ? sign : '•';
    const mark = task === undefined ? bullet : task === ' ' ? '☐' : '☑';
    const first = `${indent}${mark} `;
    return hang({ first, rest: ' '.repeat(displayWidth(first)) }, inlineSpans(text), { columns, paint });
  }
  return hang({ first: '', rest: '' }, inlineSpans(line.trim()), { columns, paint });
}

function hang(
  { first, rest }: { first: string; rest: string },
  spans: Span[],
  { columns, paint }: Setting,
): string[] {
  const width = Math.max(narrowest, columns - displayWidth(first));
  return wrapSpans(spans, width).map((line, i) => (i === 0 ? first : rest) + paintSpans(line, paint));
}
