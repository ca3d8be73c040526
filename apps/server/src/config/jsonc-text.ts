// The text of a configuration file: the position of a setting, and the text with one setting changed. Comments and layout stay. The text
// must be valid JSON with comments and trailing commas.
import { ToolError } from '@codelab/protocol';

export type JsonPath = readonly (string | number)[];

type Node = { start: number; end: number; members?: Member[]; items?: Node[] };
type Member = { key: string; start: number; value: Node };

/** The line of the setting's name, from 1; of the deepest part of the path that is there. */
export function lineOf(text: string, path: JsonPath): number {
  let node = readTree(text);
  let at = node.start;
  for (const step of path) {
    const member = node.members?.find(({ key }) => key === step);
    const value = member?.value ?? (typeof step === 'number' ? node.items?.[step] : undefined);
    if (value === undefined) break;
    at = member?.start ?? value.start;
    node = value;
  }
  return text.slice(0, at).split('\n').length;
}

/** Objects on the way that are missing are made. */
export function withSetting(text: string, path: readonly string[], value: unknown): string {
  let node = readTree(text);
  for (const [i, key] of path.entries()) {
    if (node.members === undefined) throw notAnObject(path.slice(0, i));
    const member = node.members.find((candidate) => candidate.key === key);
    if (member === undefined) {
      const inner = path.slice(i + 1).reduceRight<unknown>((nested, name) => ({ [name]: nested }), value);
      return insertMember(text, node, `${JSON.stringify(key)}: `, inner);
    }
    node = member.value;
  }
  return text.slice(0, node.start) + written(value, indentAt(text, node.start)) + text.slice(node.end);
}

/** Undefined when the setting is not there. */
export function withoutSetting(text: string, path: readonly string[]): string | undefined {
  let node = readTree(text);
  for (const [i, key] of path.entries()) {
    const member = node.members?.find((candidate) => candidate.key === key);
    if (member === undefined) return undefined;
    if (i === path.length - 1) return removeMember(text, member);
    node = member.value;
  }
  return undefined;
}

function insertMember(
  text: string,
  { start, end, members = [] }: Node,
  name: string,
  value: unknown,
): string {
  const last = members.at(-1);
  const outer = indentAt(text, start);
  const indent = last === undefined ? `${outer}  ` : indentAt(text, last.start);
  const member = `${name}${written(value, indent)}`;
  if (last === undefined) return `${text.slice(0, start)}{\n${indent}${member}\n${outer}}${text.slice(end)}`;
  const after = skip(text, last.value.end);
  const hasComma = text[after] === ',';
  const at = hasComma ? after + 1 : last.value.end;
  const isOnOneLine = !text.slice(start, last.start).includes('\n');
  const lead = `${hasComma ? '' : ','}${isOnOneLine ? ' ' : `\n${indent}`}`;
  return `${text.slice(0, at)}${lead}${member}${hasComma ? ',' : ''}${text.slice(at)}`;
}

// A comma left before the removed member becomes a trailing one, which these files allow.
function removeMember(text: string, { start, value }: Member): string {
  const after = skip(text, value.end);
  const end = text[after] === ',' ? after + 1 : value.end;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const rest = /^[ \t]*(?:\/\/[^\n]*)?\r?\n/.exec(text.slice(end))?.[0];
  const isAlone = text.slice(lineStart, start).trim() === '' && rest !== undefined;
  return isAlone
    ? text.slice(0, lineStart) + text.slice(end + rest.length)
    : text.slice(0, start) + text.slice(end);
}

function written(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** The line on which the text stops being valid; undefined when it is valid. */
export function brokenLine(text: string): number | undefined {
  try {
    readTree(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    return text.slice(0, error.at).split('\n').length;
  }
}

class Misplaced extends Error {
  override readonly name = 'Misplaced';
  readonly at: number;
  constructor(at: number) {
    super(`Not valid at ${at}.`);
    this.at = at;
  }
}

function readTree(text: string): Node {
  const root = readNode(text, skip(text, text.startsWith('\ufeff') ? 1 : 0));
  const end = skip(text, root.end);
  if (end < text.length) throw new Misplaced(end);
  return root;
}

function readNode(text: string, start: number): Node {
  if (text[start] === '{') return readObject(text, start);
  if (text[start] === '[') return readArray(text, start);
  const token = /"(?:\\.|[^"\\])*"|[^\s,:\]}/"]+/y;
  token.lastIndex = start;
  const tokenText = token.exec(text)?.[0] ?? '';
  try {
    JSON.parse(tokenText);
  } catch {
    throw new Misplaced(start);
  }
  return { start, end: start + tokenText.length };
}

function readObject(text: string, start: number): Node {
  const members: Member[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== '}') {
    if (text[at] !== '"') throw new Misplaced(at);
    const name = readNode(text, at);
    const colon = skip(text, name.end);
    if (text[colon] !== ':') throw new Misplaced(colon);
    const value = readNode(text, skip(text, colon + 1));
    members.push({ key: JSON.parse(text.slice(name.start, name.end)) as string, start: at, value });
    at = afterComma(text, value.end, '}');
  }
  return { start, end: at + 1, members };
}

function readArray(text: string, start: number): Node {
  const items: Node[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== ']') {
    const item = readNode(text, at);
    items.push(item);
    at = afterComma(text, item.end, ']');
  }
  return { start, end: at + 1, items };
}

function afterComma(text: string, from: number, end: string): number {
  const at = skip(text, from);
  if (text[at] === ',') return skip(text, at + 1);
  if (text[at] !== end) throw new Misplaced(at);
  return at;
}

/** Past blanks and comments. */
function skip(text: string, from: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  return from + (blank.exec(text)?.[0].length ?? 0);
}

function notAnObject(path: readonly string[]): ToolError {
  const subject = path.length === 0 ? 'The file' : `\`${path.join('.')}\``;
  return new ToolError('INVALID_ARGUMENTS', `${subject} is not an object, so nothing can be set below it.`);
}
