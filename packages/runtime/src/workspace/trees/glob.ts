// Globs without regular expressions: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}` and `\` as in shells and ignore files. The cost is at most
// the length of the text times that of the pattern, even for hostile patterns; regular expressions can take years.
import { ToolError } from '@codelab/protocol';

type Token =
  | { kind: 'text'; char: string }
  | { kind: 'any' }
  | { kind: 'set'; isNot: boolean; ranges: [string, string][] }
  | { kind: 'star' };

/** One name of a path; a star here is `**`, any number of names. */
type Segment = { kind: 'star' } | { kind: 'name'; tokens: Token[] };

const maxAlternatives = 256;

export function compileGlob(pattern: string): (path: string) => boolean {
  const programs = expandBraces(pattern).map((alternative) => alternative.split('/').map(readSegment));
  return (path) => {
    const names = path.split('/').map((name) => [...name]);
    return programs.some((segments) => matches(segments, names, takesName));
  };
}

function takesName(segment: Segment, name: readonly string[]): boolean {
  return segment.kind === 'name' && matches(segment.tokens, name, takesChar);
}

function takesChar(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'text':
      return token.char === char;
    case 'set':
      return token.ranges.some(([from, to]) => from <= char && char <= to) !== token.isNot;
    case 'any':
      return true;
    case 'star':
      return false;
  }
}

// One row of "can the first n parts of the pattern end here?" per item of the text; a star stands for any number of items.
function matches<T extends { kind: string }, I>(
  parts: readonly T[],
  items: readonly I[],
  takes: (part: T, item: I) => boolean,
): boolean {
  const width = parts.length;
  let row = [true];
  for (let i = 0; i < width; i++) row.push(parts[i]?.kind === 'star' && row[i] === true);
  for (const item of items) {
    const next = [false];
    let isAlive = false;
    for (let i = 0; i < width; i++) {
      const part = parts[i];
      if (part === undefined) break;
      const can =
        part.kind === 'star' ? row[i + 1] === true || next[i] === true : row[i] === true && takes(part, item);
      next.push(can);
      isAlive ||= can;
    }
    // No prefix of the pattern matches any more; the first character excludes most names.
    if (!isAlive) return false;
    row = next;
  }
  return row[width] === true;
}

function readSegment(text: string): Segment {
  return text === '**' ? { kind: 'star' } : { kind: 'name', tokens: tokenize(text) };
}

function tokenize(text: string): Token[] {
  const chars = [...text];
  const tokens: Token[] = [];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    const end = char === '[' ? chars.indexOf(']', i + 2) : -1;
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (char === '?') tokens.push({ kind: 'any' });
    else if (end > 0) {
      tokens.push(readSet(chars.slice(i + 1, end)));
      i = end;
    } else if (char === '\\' && i + 1 < chars.length) tokens.push({ kind: 'text', char: chars[++i] ?? '' });
    else tokens.push({ kind: 'text', char });
  }
  return tokens;
}

function readSet(chars: string[]): Token {
  const isNot = chars[0] === '!' || chars[0] === '^';
  const ranges: [string, string][] = [];
  for (let i = isNot ? 1 : 0; i < chars.length; i++) {
    const from = chars[i] ?? '';
    const isRange = chars[i + 1] === '-' && i + 2 < chars.length;
    ranges.push([from, isRange ? (chars[i + 2] ?? '') : from]);
    if (isRange) i += 2;
  }
  return { kind: 'set', isNot, ranges };
}

export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else for (const choice of group.choices) waiting.push(group.before + choice + group.after);
    if (done.length + waiting.length > maxAlternatives)
      throw new ToolError('INVALID_ARGUMENTS', `The pattern has more than ${maxAlternatives} alternatives.`);
  }
  return done;
}

/** The first `{a,b}` with its alternatives; braces inside are left for the next round. */
function firstGroup(pattern: string): { before: string; choices: string[]; after: string } | undefined {
  const commas: number[] = [];
  let start = -1;
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '{') {
      if (depth++ === 0) start = i;
    } else if (char === ',' && depth === 1) commas.push(i);
    else if (char === '}' && depth > 0 && --depth === 0) {
      if (commas.length === 0) continue;
      const ends = [start, ...commas, i];
      const choices = ends.slice(1).map((end, n) => pattern.slice((ends[n] ?? 0) + 1, end));
      return { before: pattern.slice(0, start), choices, after: pattern.slice(i + 1) };
    }
  }
  return undefined;
}
