// The front matter of a Markdown file, between two `---` lines: one `key: value` per line. A value is a text, a number, true, false, or
// a list, either `[a, b]` or a line per item. Other YAML is not interpreted; when it is indented below a key, it is kept as text.
import { ToolError } from '@codelab/protocol';

export type Field = { value: Scalar | Scalar[]; line: number };
export type FrontMatter = { fields: ReadonlyMap<string, Field>; body: string };

const fence = /^---[ \t]*$/;
const maxLines = 500;

/** `file` is the name used in messages. */
export function readFrontMatter(text: string, file: string): FrontMatter {
  const lines = text.split(/\r?\n/);
  if (!fence.test(lines[0] ?? ''))
    throw frontMatterFault(file, 1, 'must begin with a line `---` and then the settings');
  const end = lines.findIndex((line, i) => i > 0 && fence.test(line));
  if (end < 0 || end > maxLines) throw frontMatterFault(file, 1, 'has no line `---` that ends the settings');
  return {
    fields: readFields(lines.slice(0, end), file),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

function readFields(lines: readonly string[], file: string): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (let at = 1; at < lines.length; ) {
    const line = lines[at] ?? '';
    const number = at + 1;
    at++;
    if (isBlank(line)) continue;
    const [, key, rest = ''] = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/s.exec(line) ?? [];
    if (key === undefined) throw frontMatterFault(file, number, 'is not `key: value`');
    if (fields.has(key)) throw frontMatterFault(file, number, `says \`${key}\` twice`);
    const below = belonging(lines, at);
    at += below.length;
    fields.set(key, { value: readField(rest.trim(), below, { file, line: number }), line: number });
  }
  return fields;
}

type Place = { file: string; line: number };

function readField(rest: string, below: readonly string[], { file, line }: Place): Field['value'] {
  if (/^[|>][+-]?$/.test(rest)) return blockText(below, rest.startsWith('>') ? ' ' : '\n');
  const texts = below.filter((line) => !isBlank(line));
  if (rest !== '' && !rest.startsWith('#')) {
    if (rest.startsWith('[')) return readInlineList(rest, { file, line });
    // A text may continue on indented lines.
    return readScalar([rest, ...texts.map((text) => text.trim())].join(' '), { file, line });
  }
  if (texts.length === 0) return '';
  if (!texts.every((text) => /^[ \t]*-[ \t]+\S/.test(text))) return blockText(below, '\n');
  return texts.map((text) => {
    const item = text.replace(/^[ \t]*-[ \t]+/, '').trim();
    return readScalar(item, { file, line: line + 1 + below.indexOf(text) });
  });
}

/** The lines that belong to the key above: indented lines, list items, and blank lines between. */
function belonging(lines: readonly string[], from: number): string[] {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^([ \t]+|-[ \t])\S/.test(line)) end = at + 1;
    else if (!isBlank(line)) break;
  }
  return lines.slice(from, end);
}

function blockText(lines: readonly string[], between: string): string {
  return lines
    .map((line) => line.trim())
    .join(between)
    .trim();
}

function isBlank(line: string): boolean {
  return /^[ \t]*(#.*)?$/.test(line);
}

/** A quoted or plain value; a blank followed by `#` starts a comment. */
type Scalar = string | number | boolean;

type ValuePlace = { file: string; line: number };

const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')[ \t]*(?:#.*)?$/s;

function readScalar(text: string, { file, line }: ValuePlace): Scalar {
  if (text.startsWith('"') || text.startsWith("'")) {
    const [found, double, single] = quoted.exec(text) ?? [];
    if (found === undefined) throw frontMatterFault(file, line, 'has a quotation mark that is not closed');
    return double === undefined ? (single ?? '').replaceAll("''", "'") : unescaped(double, { file, line });
  }
  const comment = text.search(/[ \t]#/);
  const scalar = (comment < 0 ? text : text.slice(0, comment)).trim();
  if (scalar === 'true' || scalar === 'false') return scalar === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(scalar) ? Number(scalar) : scalar;
}

function readInlineList(text: string, place: ValuePlace): Scalar[] {
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

function unescaped(text: string, { file, line }: ValuePlace): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw frontMatterFault(file, line, 'has an escape that is not understood; use single quotes');
  }
}

/** The error for invalid front matter, with the line to look at. */
export function frontMatterFault(file: string, line: number, fault: string): ToolError {
  return new ToolError('INVALID_FORMAT', `${file}:${line} ${fault}.`, { file, line });
}
