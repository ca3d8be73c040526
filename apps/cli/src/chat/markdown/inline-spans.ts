// The marks inside a line of Markdown: code, bold, italic, struck, links. A link always shows where it leads.
import type { Format, TextSpan } from './span.ts';

type Mark = { pattern: RegExp; read(match: RegExpExecArray, inside: Inside): TextSpan[] };
type Inside = (text: string, format: Format) => TextSpan[];

const maxDepth = 4;
const special = /[\\`![<*_~]/;

const marks: readonly Mark[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, read: ([, character = '']) => [{ text: character, formats: [] }] },
  { pattern: /(`+)([^`]|[^`].*?[^`])\1(?!`)/y, read: ([, , code = '']) => codeSpans(code) },
  {
    pattern: /!?\[([^\]]*)\]\(<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+"[^"]*")?\)/y,
    read: ([, text = '', url = ''], inside) => linkSpans(text, url, inside),
  },
  {
    pattern: /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y,
    read: ([, url = '']) => [{ text: url, formats: ['underline'] }],
  },
  // Both at once, and one inside of the other at its end.
  {
    pattern: /\*\*\*(?=[^\s*])([^*]*[^\s*])\*\*\*/y,
    read: ([, text = ''], inside) => inside(`*${text}*`, 'bold'),
  },
  {
    pattern: /\*\*(?=\S)(.*?[^\s*]\*?)\*\*(?!\*)/y,
    read: ([, text = ''], inside) => inside(text, 'bold'),
  },
  {
    pattern: /(?<![\p{L}\p{N}_])__(?=\S)(.*?\S)__(?![\p{L}\p{N}_])/uy,
    read: ([, text = ''], inside) => inside(text, 'bold'),
  },
  {
    pattern: /\*(?=[^\s*])(.*?[^\s*](?:\*\*)?)\*(?!\*)/y,
    read: ([, text = ''], inside) => inside(text, 'italic'),
  },
  {
    pattern: /(?<![\p{L}\p{N}_])_(?=[^\s_])(.*?[^\s_])_(?![\p{L}\p{N}_])/uy,
    read: ([, text = ''], inside) => inside(text, 'italic'),
  },
  { pattern: /~~(?=\S)(.*?\S)~~/y, read: ([, text = ''], inside) => inside(text, 'strikethrough') },
];

export function inlineSpans(text: string, formats: readonly Format[] = [], depth = 0): TextSpan[] {
  if (depth >= maxDepth || !special.test(text)) return text === '' ? [] : [{ text, formats }];
  const inside: Inside = (inner, format) => inlineSpans(inner, [...formats, format], depth + 1);
  const spans: TextSpan[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') spans.push({ text: plain, formats });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const found = special.test(text.charAt(at)) ? findMark(text, at) : undefined;
    if (found === undefined) plain += text.charAt(at++);
    else {
      flush();
      spans.push(...found.mark.read(found.match, inside));
      at += found.match[0].length;
    }
  }
  flush();
  return spans;
}

function findMark(text: string, at: number): { mark: Mark; match: RegExpExecArray } | undefined {
  for (const mark of marks) {
    mark.pattern.lastIndex = at;
    const match = mark.pattern.exec(text);
    if (match !== null) return { mark, match };
  }
  return undefined;
}

// One space on either side lets code begin or end with a backtick.
function codeSpans(code: string): TextSpan[] {
  const bare = /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code;
  return [{ text: bare, formats: ['cyan'] }];
}

function linkSpans(text: string, url: string, inside: Inside): TextSpan[] {
  if (text === '' || text === url) return [{ text: url, formats: ['underline'] }];
  return [...inside(text, 'underline'), { text: url === '' ? '' : ` (${url})`, formats: ['dim'] }];
}
