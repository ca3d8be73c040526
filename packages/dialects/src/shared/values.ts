// JSON values, and single fields of a message, read under every name a peer may use for them. Used by every dialect.
import { isCallId, ToolError } from '@codelab/protocol';
import type { Json, WireCall } from '../dialect.ts';

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isJson(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The fields with a value: no message of ours carries null or undefined. */
export function present(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** A peer's text, cut so that repeating it in an error stays cheap. */
export function short(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** A number of lines or a line: zero, negative and missing values mean the default. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** A number that a peer may have written with a fraction, as a whole number. */
export function whole(value: unknown): number | undefined {
  return isNumber(value) && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : undefined;
}

export function bytesOf(text: unknown): number {
  return typeof text === 'string' ? new TextEncoder().encode(text).length : 0;
}

/** Seconds of a wire in milliseconds; larger values than any limit are cut later. */
export function toMs(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? Math.ceil(Math.min(seconds, 1e9) * 1000) : undefined;
}

const readable: readonly [name: RegExp, encoding: string | undefined][] = [
  [/^utf-?8$/i, undefined],
  [/^(utf-?16(-?le)?|ucs-?2)$/i, 'utf-16le'],
  [/^(latin-?1|iso-8859-1|binary)$/i, 'latin1'],
];

/** The encoding to read a file with, by the core's name; undefined for UTF-8. */
export function readEncoding(encoding: unknown): string | undefined {
  if (encoding === undefined) return undefined;
  const encodingRow = readable.find(([name]) => name.test(String(encoding)));
  if (encodingRow !== undefined) return encodingRow[1];
  const named = short(String(encoding));
  const message = `Text is read as utf-8, utf-16le or latin1 here, not as ${JSON.stringify(named)}.`;
  throw new ToolError('ENCODING_ERROR', message, { encoding: named });
}

/** The encoding of a write must be UTF-8. */
export function checkEncoding(encoding: unknown): void {
  if (encoding === undefined || /^utf-?8$/i.test(String(encoding))) return;
  const named = short(String(encoding));
  const message = `Only UTF-8 text is written here, not ${JSON.stringify(named)}.`;
  throw new ToolError('ENCODING_ERROR', message, { encoding: named });
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson(valueAt(a, key), valueAt(b, key)));
}

function valueAt(object: object, key: string): unknown {
  return (object as Json)[key];
}

/** One field under any of its names. `null` counts as absent; two names that disagree are refused. */
export function readField(message: Json, names: readonly string[]): unknown {
  const present = names.filter((name) => Object.hasOwn(message, name) && message[name] != null);
  const [first, ...others] = present;
  if (first === undefined) return undefined;
  const rival = others.find((name) => !isSameJson(message[name], message[first]));
  if (rival !== undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `\`${first}\` and \`${rival}\` say different things. Send one of them.`,
      {
        field: rival,
      },
    );
  }
  return message[first];
}

/** A field that must be text when it is present. */
export function readTextField(message: Json, names: readonly string[]): string | undefined {
  const value = readField(message, names);
  if (value === undefined || typeof value === 'string') return value;
  throw new ToolError('INVALID_ARGUMENTS', `\`${names[0]}\` must be a string.`, { field: names[0] });
}

/** A value that must be a JSON object. */
export function readObjectField(value: unknown, field: string): Json {
  if (isJson(value)) return value;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` must be an object.`, { field });
}

/** An id that every log and screen can hold. */
export function checkId(id: string): string {
  if (isCallId(id)) return id;
  throw wrongId(id);
}

export function wrongId(id: string): ToolError {
  const fault =
    id === '' ? 'is missing' : 'must have at most 200 characters, none of them a control character';
  return new ToolError('INVALID_ARGUMENTS', `\`call_id\` ${fault}.`, { field: 'call_id' });
}

/** The id of a call, under each dialect's name for it. */
export function readId(message: Json): string {
  return checkId(
    readTextField(message, ['call_id', 'tool_id', 'tool_use_id']) ?? readTextField(message, ['id']) ?? '',
  );
}

const idKeys = ['call_id', 'tool_id', 'tool_use_id', 'id'];
const toolKeys = ['tool_name', 'tool_type', 'tool', 'name'];

/** Where to send the answer when a message could not be read: the call's id and tool, as far as they can be found. Never throws. */
export function addressOf(wire: unknown): Pick<WireCall, 'id' | 'wire'> {
  const outer = objectOf(wire);
  const message = isJson(outer.payload) ? outer.payload : outer;
  return { id: firstText(message, idKeys), wire: { tool: firstText(message, toolKeys), args: {} } };
}

function firstText(message: Json, keys: readonly string[]): string {
  return String(keys.map((key) => message[key]).find((value) => typeof value === 'string') ?? '');
}
