// One line of Markdown outside of code and tables, as lines for the screen: heading, rule, quote, list item or plain text.

import { readMarkdownLine, readTask } from '@codelab/protocol';
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

export function blockLines(source: string, setting: BlockSetting): string[] {
  const { columns, paint } = setting;
  const line = readMarkdownLine(source);
  switch (line.type) {
    case 'heading': {
      const spans = inlineSpans(line.text, line.level < 3 ? ['bold', 'underline'] : ['bold']);
      return wrapSpans(withLinks(spans, setting.linkOf), columns).map((row) => paintSpans(row, paint));
    }
    case 'rule':
      return [paint('dim', '─'.repeat(Math.min(columns, widestRule)))];
    case 'quote': {
      const { depth, text } = innermostQuote(line.text);
      const bar = paint('dim', '▌ '.repeat(depth));
      return hang({ first: bar, rest: bar }, inlineSpans(text, ['italic']), setting);
    }
    case 'item': {
      const { isDone, text } = readTask(line.text);
      const bullet = line.number === undefined ? '•' : line.marker;
      const mark = isDone === undefined ? bullet : isDone ? '☑' : '☐';
      const first = `${' '.repeat(line.indent)}${mark} `;
      return hang({ first, rest: ' '.repeat(displayWidth(first)) }, inlineSpans(text), setting);
    }
    default:
      return hang({ first: '', rest: '' }, inlineSpans(source.trim()), setting);
  }
}

function innermostQuote(quoted: string): { depth: number; text: string } {
  let [depth, text] = [1, quoted];
  for (let line = readMarkdownLine(text); line.type === 'quote'; line = readMarkdownLine(text)) {
    depth++;
    text = line.text;
  }
  return { depth, text };
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
