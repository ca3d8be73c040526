// One HTTP route of the gateway as a value: the server registers it, clients call it, and `/openapi.json` and the docs are checked against
// it.
import { lazily } from '@codelab/protocol';
import type * as z from 'zod/mini';

type Schema = z.ZodMiniType;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Schemas are functions: a short command that uses one route must not build the schemas of all. */
export type Route = {
  /** Unique; the operation id in `/openapi.json`. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces: `/api/v1/sessions/{id}`. */
  readonly path: string;
  /** Further paths of the same route. */
  readonly also?: readonly string[];
  readonly summary: string;
  readonly query?: () => z.ZodMiniObject;
  readonly body?: () => Schema;
  /** Whether the body may be left out. */
  readonly isBodyOptional?: true;
  /** Media types of the body besides JSON. */
  readonly bodyTypes?: readonly string[];
  /** Status of a successful answer (default: 200); 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** The JSON of a successful answer. */
  readonly answer?: () => Schema;
  /** Media types of a successful answer that is not JSON, or not always. */
  readonly media?: readonly string[];
  /** JSON of further statuses that are not errors in the usual form. */
  readonly others?: Readonly<Record<number, () => Schema>>;
  /** JSON of a refusal (default: `ErrorAnswer`). */
  readonly errors?: () => Schema;
  /** The route needs no token. */
  readonly isOpen?: true;
  /** An event stream: a browser opens it by its address alone, so the token may be in the address. */
  readonly isStream?: true;
};

/** Keeps the literal types of a route. Its input is read at every request, so the schemas of it are made once. */
export function defineRoute<const R extends Route>(spec: R): R {
  const { query, body } = spec;
  return { ...spec, ...(query && { query: lazily(query) }), ...(body && { body: lazily(body) }) };
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type RouteParams<R extends Route> = { readonly [Name in NamesIn<R['path']>]: string };
export type RouteQuery<R extends Route> = R extends { query: () => infer Q extends Schema }
  ? z.output<Q>
  : undefined;
export type RouteBody<R extends Route> = R extends { body: () => infer B extends Schema }
  ? z.output<B>
  : undefined;
export type RouteAnswer<R extends Route> = R extends { answer: () => infer A extends Schema }
  ? z.output<A>
  : undefined;
/** The query as a client sends it, with defaults omitted. */
export type SentQuery<R extends Route> = R extends { query: () => infer Q extends Schema }
  ? Sent<z.input<Q>>
  : undefined;
export type SentBody<R extends Route> = R extends { body: () => infer B extends Schema }
  ? z.input<B>
  : undefined;

/** Numbers in a query are parsed from text, so their schemas accept anything; a client sends plain values. */
type Sent<Q> = { [Name in keyof Q]: unknown extends Q[Name] ? string | number | undefined : Q[Name] };

/** The path of a route with its parameters; ids and paths never add a segment. */
export function pathOf<R extends Route>(
  { path }: R,
  ...[params]: NamesIn<R['path']> extends never ? [] : [params: RouteParams<R>]
): string {
  return fillPath(path, params);
}

export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(params[name] ?? ''));
}
