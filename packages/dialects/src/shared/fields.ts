// Messages as tables of fields: written strictly under their own names, read under every name a peer may use. `null` counts as absent.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { isFlag, isJson, isNumber, isText, short } from './values.ts';

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
