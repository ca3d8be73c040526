// Reads untrusted input: JSON, bounded in size and depth before it is parsed, without `__proto__` and with well-formed text; schemas that
// are created on first use; and their faults in a sentence.
import type * as z from 'zod/mini';
import { ToolError } from './errors.ts';

export function parseJson(text: string, limits: { bytes: number; depth: number }): unknown {
  const value = parseBounded(text, limits);
  checkPlain(value, limits.depth);
  const twice = duplicateKey(text);
  // The judge and the tool could each use a different one of two equal keys.
  if (twice !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The key \`${twice.slice(0, 200)}\` is given twice. Give it once.`,
      {
        field: twice.slice(0, 200),
      },
    );
  return value;
}

/** The first key that occurs twice in an object of a valid JSON text. */
function duplicateKey(text: string): string | undefined {
  // The keys of the open objects; undefined for an open array.
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      const end = endOfString(text, i);
      const keys = open.at(-1);
      if (isKey && keys !== undefined) {
        const key = JSON.parse(text.slice(i, end + 1)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKey = false;
      i = end;
    } else if (c === '{' || c === '[') {
      open.push(c === '{' ? new Set() : undefined);
      isKey = c === '{';
    } else if (c === '}' || c === ']') open.pop();
    else if (c === ',') isKey = open.at(-1) !== undefined;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
}

/** Checks only size and depth, for callers that repair the rest because the sender can't be asked to send it again. */
export function parseBounded(text: string, limits: { bytes: number; depth: number }): unknown {
  if (text.length > limits.bytes)
    throw new ToolError(
      'FILE_TOO_LARGE',
      `The message has ${text.length} characters; at most ${limits.bytes} are read.`,
    );
  // JSON.parse blocks for seconds on millions of brackets, so the nesting is counted first.
  if (nesting(text, limits.depth) > limits.depth)
    throw new ToolError('INVALID_FORMAT', `The JSON is nested deeper than ${limits.depth} levels.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ToolError(
      'INVALID_FORMAT',
      `Not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Refuses values that no tool should see in its arguments, and names where they are. */
export function checkPlain(value: unknown, maxDepth: number): void {
  const waiting: { value: unknown; depth: number; at: string }[] = [{ value, depth: 0, at: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: item, depth, at } = next;
    if (typeof item === 'string') checkText(item, at);
    if (typeof item !== 'object' || item === null) continue;
    if (depth >= maxDepth)
      throw new ToolError('INVALID_ARGUMENTS', `The arguments are nested deeper than ${maxDepth} levels.`);
    for (const key of Object.keys(item)) {
      const place = at === '' ? key : `${at}.${key}`;
      if (key === '__proto__')
        throw new ToolError('INVALID_ARGUMENTS', `The key \`__proto__\` is not accepted (at \`${place}\`).`);
      checkText(key, place);
      waiting.push({ value: (item as Record<string, unknown>)[key], depth: depth + 1, at: place });
    }
  }
}

// A lone surrogate would silently become U+FFFD on disk.
function checkText(text: string, at: string): void {
  if (!text.isWellFormed())
    throw new ToolError('INVALID_ARGUMENTS', `\`${at}\` holds half a character (a lone surrogate).`);
}

function nesting(text: string, enough: number): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) {
      if (++depth > deepest) deepest = depth;
      if (deepest > enough) return deepest;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return deepest;
}

/** Makes a value at its first use, such as a schema: making all schemas would cost a short command more than its work. */
/* @__NO_SIDE_EFFECTS__ Bundles leave out the schemas that they do not use. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Describes a fault of an argument in words that a model can act on; `zod/mini` has no messages of its own. */
type Issue = z.core.$ZodIssue;

/** The rest of the message `tool: field …`. */
export function describeIssue(issue: Issue, args: unknown): string {
  if (valueAt(args, issue.path) === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    // A format has no words of its own: its schema describes it.
    case 'invalid_format':
      return issue.message.startsWith('must ') ? issue.message : 'does not fit';
    default:
      return 'does not fit';
  }
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items', set: 'items' };

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  const unit = units[origin];
  if (unit === undefined) return inclusive ? `must be at least ${minimum}` : `must be more than ${minimum}`;
  return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit}`;
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: 'too_big' }>): string {
  const unit = units[origin];
  if (unit === undefined) return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
  return `must have at most ${maximum} ${unit}`;
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    args,
  );
}
