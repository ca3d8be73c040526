// One line of Markdown outside of code and tables, as lines for the screen: heading, rule, quote, list item or plain text.

import type { Paint } from '../../output/paint.ts';
import { displayWidth } from '../../output/text-width.ts';
import { inlineSpans } from './inline-spans.ts';
import { type LinkOf, withLinks } from './path-links.ts';
import { paintSpans, type TextSpan, wrapSpans } from './span.ts';

export type BlockSetting = {
  columns: number;
  paint: Paint;
  /** The address of a file of the workspace that a text names, where the terminal shows links. */
  linkOf?: LinkOf | undefined;
};

const narrowest = 20;
const widestRule = 60;

export function blockLines(line: string, setting: BlockSetting): string[] {
  const { columns, paint } = setting;
  const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
  if (heading !== null) {
    const [, level = '', text = ''] = heading;
    const spans = inlineSpans(text, level.length < 3 ? ['bold', 'underline'] : ['bold']);
    return wrapSpans(withLinks(spans, setting.linkOf), columns).map((one) => paintSpans(one, paint));
  }
  if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line))
    return [paint('dim', '─'.repeat(Math.min(columns, widestRule)))];
  const quote = /^ {0,3}((?:> ?)+)(.*)$/.exec(line);
  if (quote !== null) {
    const [, depth = '', text = ''] = quote;
    const bar = paint('dim', '▌ '.repeat(depth.replaceAll(' ', '').length));
    return hang({ first: bar, rest: bar }, inlineSpans(text, ['italic']), setting);
  }
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (item !== null) {
    const [, indent = '', sign = '', task, text = ''] = item;
    const bullet = /\d/.test(sign) ? sign : '•';
    const mark = task === undefined ? bullet : task === ' ' ? '☐' : '☑';
    const first = `${indent}${mark} `;
    return hang({ first, rest: ' '.repeat(displayWidth(first)) }, inlineSpans(text), setting);
  }
  return hang({ first: '', rest: '' }, inlineSpans(line.trim()), setting);
}

function hang(
  { first, rest }: { first: string; rest: string },
  spans: TextSpan[],
  { columns, paint, linkOf }: BlockSetting,
): string[] {
  const width = Math.max(narrowest, columns - displayWidth(first));
  return wrapSpans(withLinks(spans, linkOf), width).map(
    (line, i) => (i === 0 ? first : rest) + paintSpans(line, paint),
  );
}
