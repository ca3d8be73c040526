// The head of a Markdown file between two lines of `---`: one `key: value` per line, a value being a text, a number, true or false,
// or a list, `[a, b]` or a line per item. What else YAML knows is not understood but, where it is only indented, kept as text.
import { frontMatterFault } from './front-matter-fault.ts';
import { readInlineList, readScalar, type Scalar } from './read-value.ts';

export type Field = { value: Scalar | Scalar[]; line: number };
export type FrontMatter = { fields: ReadonlyMap<string, Field>; body: string };

const fence = /^---[ \t]*$/;
const maxLines = 500;

/** `file` is how messages name it. */
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
  const said = below.filter((one) => !isBlank(one));
  if (rest !== '' && !rest.startsWith('#')) {
    if (rest.startsWith('[')) return readInlineList(rest, { file, line });
    // A text may go on in indented lines.
    return readScalar([rest, ...said.map((one) => one.trim())].join(' '), { file, line });
  }
  if (said.length === 0) return '';
  if (!said.every((one) => /^[ \t]*-[ \t]+\S/.test(one))) return blockText(below, '\n');
  return said.map((one) => {
    const item = one.replace(/^[ \t]*-[ \t]+/, '').trim();
    return readScalar(item, { file, line: line + 1 + below.indexOf(one) });
  });
}

/** Lines that belong to the key above: indented ones, items of a list, and blank ones between. */
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
