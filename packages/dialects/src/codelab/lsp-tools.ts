// The tools that ask a language server, for every wire. The core counts lines and characters from 0; a wire that counts from 1 in other
// tools does so here too.
import { largestPosition } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { sameArguments } from '../shared/spelling.ts';
import { present } from '../shared/values.ts';

type Counting = {
  /** Number of the first line and of the first character. */
  first: 0 | 1;
  /** The argument with the path. */
  path: 'path' | 'file_path';
  /** Set for rows beyond the wire's own document. */
  isExtension?: true;
  toCore: WireTool['toCore'];
};

type Shape = Record<string, z.ZodMiniType>;

/** The arguments of each tool besides the path. */
const inputs = {
  lsp_diagnostics: (): Shape => ({}),
  lsp_definition: (first: number): Shape => placeInput(first),
  lsp_hover: (first: number): Shape => placeInput(first),
  lsp_references: (first: number): Shape => ({
    ...placeInput(first),
    include_declaration: z.optional(z.boolean()),
  }),
  lsp_symbols: (): Shape => ({ query: z.optional(z.string()) }),
  lsp_rename: (first: number): Shape => ({ ...placeInput(first), new_name: z.string() }),
} as const;

type Name = keyof typeof inputs;

function placeInput(first: number): Shape {
  const count = () => z.int().check(z.minimum(first), z.maximum(largestPosition));
  return { line: count(), character: z.optional(count()), symbol: z.optional(z.string()) };
}

/** Defaults for fields that a client that ran the call may leave out. */
const unsaid: Readonly<Record<Name, Json>> = {
  lsp_diagnostics: { diagnostics: [], count: 0 },
  lsp_definition: {},
  lsp_hover: {},
  lsp_references: { references: [], count: 0 },
  lsp_symbols: { symbols: [], count: 0 },
  lsp_rename: { files: [], count: 0, diff: '' },
};

const symbol = 'Instead of character: a name in the line.';

const fromOne = {
  notes: {
    line: 'Counted from 1.',
    character: 'Counted from 1 in UTF-16 code units. Or give symbol.',
    symbol,
  },
  toCore: (args, session) => sameArguments(placed(args, -1), session),
  fromCore: (args) => placed(args, 1),
  toWire: (data, wireArgs) => answerToWire(data, wireArgs.path, 1),
} satisfies Partial<WireTool>;

// Written out, so that nothing is built when the program starts.
export const lspTools: readonly WireTool[] = [
  {
    ...{ name: 'lsp_diagnostics', tool: 'lsp_diagnostics', ...fromOne },
    input: () => inputOf('lsp_diagnostics', 1, 'path'),
    fromWire: (wireResult) => answerFromWire('lsp_diagnostics', wireResult, 1),
  },
  {
    ...{ name: 'lsp_definition', tool: 'lsp_definition', ...fromOne },
    input: () => inputOf('lsp_definition', 1, 'path'),
    fromWire: (wireResult) => answerFromWire('lsp_definition', wireResult, 1),
  },
  {
    ...{ name: 'lsp_hover', tool: 'lsp_hover', ...fromOne },
    input: () => inputOf('lsp_hover', 1, 'path'),
    fromWire: (wireResult) => answerFromWire('lsp_hover', wireResult, 1),
  },
  {
    ...{ name: 'lsp_references', tool: 'lsp_references', ...fromOne },
    input: () => inputOf('lsp_references', 1, 'path'),
    fromWire: (wireResult) => answerFromWire('lsp_references', wireResult, 1),
  },
  {
    ...{ name: 'lsp_symbols', tool: 'lsp_symbols', ...fromOne },
    input: () => inputOf('lsp_symbols', 1, 'path'),
    fromWire: (wireResult) => answerFromWire('lsp_symbols', wireResult, 1),
  },
  {
    ...{ name: 'lsp_rename', tool: 'lsp_rename', ...fromOne },
    input: () => inputOf('lsp_rename', 1, 'path'),
    fromWire: (wireResult) => answerFromWire('lsp_rename', wireResult, 1),
  },
];

/** The tools for a wire with other paths, or one that counts from 0. */
export function makeLspTools({ first, path, isExtension, toCore }: Counting): WireTool[] {
  return (Object.keys(inputs) as Name[]).map((name) => ({
    name,
    tool: name,
    input: () => inputOf(name, first, path),
    ...(path !== 'path' && { names: { [path]: 'path' } }),
    ...(isExtension && { isExtension }),
    notes: {
      line: `Counted from ${first}.`,
      character: `Counted from ${first} in UTF-16 code units. Or give symbol.`,
      symbol,
    },
    toCore: (args, session) => toCore(placed(args, -first), session),
    fromCore: (args) => placed(args, first),
    toWire: (data, wireArgs) => answerToWire(data, wireArgs[path], first),
    fromWire: (wireResult) => answerFromWire(name, wireResult, first),
  }));
}

function inputOf(name: Name, first: number, path: Counting['path']): z.ZodMiniObject {
  return z.strictObject({ [path]: z.string(), ...inputs[name](first) });
}

/** The position that a call names, shifted by `by`. */
function placed(args: Json, by: number): Json {
  const moved = (value: unknown): unknown => (typeof value === 'number' ? value + by : undefined);
  return present({ ...args, line: moved(args.line), character: moved(args.character) });
}

/** A file that the caller named keeps the caller's spelling. */
function answerToWire(data: Json, path: unknown, first: number): Json {
  return present({
    ...(recounted(data, first) as Json),
    path: data.path === undefined ? undefined : path,
  });
}

function answerFromWire(name: Name, wireResult: Json, first: number): Json {
  return { ok: true, server_status: 'active', ...unsaid[name], ...(recounted(wireResult, -first) as Json) };
}

/** Every position in an answer, shifted by `by`. */
function recounted(value: unknown, by: number): unknown {
  if (by === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => recounted(item, by));
  const { line, character } = value as Json;
  if (typeof line === 'number' && typeof character === 'number')
    return { line: line + by, character: character + by };
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, recounted(field, by)]));
}
