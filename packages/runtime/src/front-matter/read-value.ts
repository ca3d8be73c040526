// One value in the head of a Markdown file: quoted or plain, with what follows a blank and `#` left out.
import { frontMatterFault } from './front-matter-fault.ts';

export type Scalar = string | number | boolean;

type Place = { file: string; line: number };

const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')[ \t]*(?:#.*)?$/s;

export function readScalar(text: string, { file, line }: Place): Scalar {
  if (text.startsWith('"') || text.startsWith("'")) {
    const [found, double, single] = quoted.exec(text) ?? [];
    if (found === undefined) throw frontMatterFault(file, line, 'has a quotation mark that is not closed');
    return double === undefined ? (single ?? '').replaceAll("''", "'") : unescaped(double, { file, line });
  }
  const comment = text.search(/[ \t]#/);
  const plain = (comment < 0 ? text : text.slice(0, comment)).trim();
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(plain) ? Number(plain) : plain;
}

export function readInlineList(text: string, place: Place): Scalar[] {
  const inside = /^\[(.*)\][ \t]*(?:#.*)?$/s.exec(text)?.[1];
  if (inside === undefined)
    throw frontMatterFault(place.file, place.line, 'has a list without its closing `]`');
  return splitAtCommas(inside)
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => readScalar(item, place));
}

// Commas inside quotation marks and braces belong to the item: `["a, b", "{c,d}.md", {e,f}.md]`.
function splitAtCommas(text: string): string[] {
  const items = [''];
  let quote = '';
  let depth = 0;
  for (const char of text) {
    const isQuote = char === '"' || char === "'";
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (isQuote && items.at(-1)?.trim() === '') quote = char;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    if (char === ',' && quote === '' && depth <= 0) items.push('');
    else items[items.length - 1] += char;
  }
  return items;
}

function unescaped(text: string, { file, line }: Place): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw frontMatterFault(file, line, 'has an escape that is not understood; use single quotes');
  }
}
