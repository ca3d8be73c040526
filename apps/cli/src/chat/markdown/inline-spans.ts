// The inside of a line of Markdown as spans for the screen. A link always shows where it leads.
import { type MarkdownInline, parseMarkdownInline } from '@codelab/protocol';
import type { Format, TextSpan } from './span.ts';

const formatOf = { strong: 'bold', em: 'italic', strike: 'strikethrough' } as const;

export function inlineSpans(text: string, formats: readonly Format[] = []): TextSpan[] {
  // A terminal follows links only on a click, so every address may be shown as a link.
  return spansOf(
    parseMarkdownInline(text, (address) => address),
    formats,
  );
}

function spansOf(parts: readonly MarkdownInline[], formats: readonly Format[]): TextSpan[] {
  return parts.flatMap((part) => partSpans(part, formats));
}

function partSpans(part: MarkdownInline, formats: readonly Format[]): TextSpan[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text, formats }];
    case 'code':
      return [{ text: part.text, formats: ['cyan'] }];
    case 'strong':
    case 'em':
    case 'strike':
      return spansOf(part.inner, [...formats, formatOf[part.type]]);
    case 'link':
      return linkSpans(part.href, part.inner, formats);
    case 'image':
      return [{ text: `${part.label} (${part.source})`, formats }];
    case 'math': {
      const sign = part.isBlock ? '$$' : '$';
      return [{ text: `${sign}${part.source}${sign}`, formats }];
    }
    case 'break':
      return [{ text: ' ', formats }];
  }
}

function linkSpans(href: string, inner: readonly MarkdownInline[], formats: readonly Format[]): TextSpan[] {
  const [only] = inner;
  if (inner.length === 1 && only?.type === 'text' && only.text === href)
    return [{ text: href, formats: ['underline'] }];
  return [...spansOf(inner, [...formats, 'underline']), { text: ` (${href})`, formats: ['dim'] }];
}
