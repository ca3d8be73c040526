// Messages as tables of fields: written strictly under their own names, read under every name a peer may use. `null` counts as absent.
import { isCallId, ToolError } from '@codelab/protocol';
import type { Json, WireCall } from '../dialect.ts';
import { isFlag, isJson, isNumber, isSameJson, isText, objectOf, short } from './values.ts';

/** A name may lead into an object: `data.path`. */
type Field<T = unknown, IsOptional extends boolean = boolean, Name extends string = string> = {
  names: readonly [Name, ...string[]];
  /** How many of the names are written, from the first on. */
  written: number;
  fits(value: unknown): value is T;
  isOptional: IsOptional;
};

type Table = Readonly<Record<string, Readonly<Record<string, Field>>>>;

type Values<F> = {
  [K in keyof F as F[K] extends Field<unknown, false> ? K : never]: F[K] extends Field<infer T> ? T : never;
} & {
  [K in keyof F as F[K] extends Field<unknown, false> ? never : K]?: F[K] extends Field<infer T> ? T : never;
};

/** The union of the messages that a table describes. */
export type MessageOf<T extends Table> = { [K in keyof T & string]: { type: K } & Values<T[K]> }[keyof T &
  string];

/** The messages on the wire, by type; a field that leads into an object is not distinguished. */
export type WireOf<T extends Table> = {
  [K in keyof T & string]: { type: K; seq?: number } & WireFields<T[K]> & Json;
};

export type WireFields<F> = {
  [K in keyof F as F[K] extends Field<unknown, false> ? NameOf<F[K]> : never]: ValueOf<F[K]>;
} & {
  [K in keyof F as F[K] extends Field<unknown, false> ? never : NameOf<F[K]>]?: ValueOf<F[K]>;
};

type NameOf<F> =
  F extends Field<unknown, boolean, infer N> ? (N extends `${string}.${string}` ? never : N) : never;
type ValueOf<F> = F extends Field<infer T> ? T : never;

type Names<N extends string> = [N, ...string[]];

const required = <T, N extends string>(
  names: Names<N>,
  fits: (value: unknown) => value is T,
): Field<T, false, N> => ({
  names,
  written: 1,
  fits,
  isOptional: false,
});

export const textField = <const N extends string>(...names: Names<N>) => required(names, isText);
export const flagField = <const N extends string>(...names: Names<N>) => required(names, isFlag);
export const countField = <const N extends string>(...names: Names<N>) => required(names, isNumber);
export const jsonField = <const N extends string>(...names: Names<N>) => required(names, isJson);
export const listField = <const N extends string>(...names: Names<N>) =>
  required(names, Array.isArray as (value: unknown) => value is unknown[]);
export const anyField = <const N extends string>(...names: Names<N>) =>
  required(names, (value): value is unknown => value !== undefined);
export const optionalField = <T, N extends string>(field: Field<T, boolean, N>): Field<T, true, N> => ({
  ...field,
  isOptional: true,
});
/** Peers look for the field in two places, so it is written to both. */
export const aliasedField = <T, O extends boolean, N extends string>(
  field: Field<T, O, N>,
): Field<T, O, N> => ({
  ...field,
  written: 2,
});

export function writeFields(fields: Table[string], message: Json): Json {
  const wire: Json = {};
  for (const [key, { names, written }] of Object.entries(fields)) {
    if (message[key] === undefined) continue;
    for (const name of names.slice(0, written)) put(wire, name, message[key]);
  }
  return wire;
}

export function readWireFields(fields: Table[string], wire: Json): Json {
  const message: Json = {};
  for (const [key, { names, fits, isOptional }] of Object.entries(fields)) {
    const value = names.map((name) => at(wire, name)).find((found) => found !== undefined && found !== null);
    if (value === undefined && isOptional) continue;
    if (!fits(value))
      throw misfit(String(names[0]), value === undefined ? 'is missing' : 'has the wrong type');
    message[key] = value;
  }
  return message;
}

/** The row of a table; a type that a peer names is looked up only among own properties. */
export function rowOf<T>(table: Readonly<Record<string, T>>, type: unknown): T {
  if (typeof type === 'string' && Object.hasOwn(table, type)) return table[type] as T;
  throw new ToolError('INVALID_FORMAT', `Unknown message type: ${short(String(type ?? '(none)'))}`);
}

function at(wire: Json, name: string): unknown {
  const [first = '', rest] = name.split('.');
  const value = Object.hasOwn(wire, first) ? wire[first] : undefined;
  if (rest === undefined) return value;
  return isJson(value) && Object.hasOwn(value, rest) ? value[rest] : undefined;
}

function put(wire: Json, name: string, value: unknown): void {
  const [first = '', rest] = name.split('.');
  wire[first] = rest === undefined ? value : { ...(wire[first] as Json | undefined), [rest]: value };
}

function misfit(field: string, fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `\`${field}\` ${fault}.`, { field });
}

// Reads single fields of a message under every name a peer may use for them.

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
  const fault =
    id === '' ? 'is missing' : 'must have at most 200 characters, none of them a control character';
  throw new ToolError('INVALID_ARGUMENTS', `\`call_id\` ${fault}.`, { field: 'call_id' });
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
