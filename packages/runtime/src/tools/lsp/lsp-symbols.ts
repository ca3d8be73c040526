// The symbols of a file, or with a query those of the whole workspace that fit it.
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';
import { lspAnswerFields, planLspReading, RangeSchema, tellUnserved } from './lsp-schemas.ts';

const Input = () =>
  z.strictObject({
    path: z.string(),
    /** With a query, all files of the language of `path` are searched. */
    query: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  });

const Found = () =>
  z.strictObject({
    name: z.string(),
    kind: z.string(),
    range: z.optional(RangeSchema()),
    container: z.optional(z.string()),
    path: z.optional(z.string()),
    uri: z.optional(z.string()),
  });

const Output = () =>
  z.strictObject({
    ...lspAnswerFields(),
    symbols: z.array(Found()),
    count: z.int(),
    truncated: z.optional(z.boolean()),
  });

export const lspSymbolsTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  string
>({
  name: 'lsp_symbols',
  kind: 'search',
  readsUnsaved: true,
  summary:
    'List the classes, functions and other symbols of a file, or with query those of the whole workspace that fit.',
  input: Input,
  output: Output,
  plan: ({ path }, context) => planLspReading(path, 'symbols', context),

  async run({ query }, path, context) {
    const { symbolsIn } = await import('../../lsp/symbols.ts');
    const result = await symbolsIn(path, query, context);
    return { data: { symbols: [], count: 0, ...result }, effects: [] };
  },

  tell(output) {
    if (!output.ok) return tellUnserved(output);
    const { symbols, count } = output;
    if (count === 0) return 'The server lists no symbols.';
    const rest = count > symbols.length ? [`[${count} symbols in all]`] : [];
    return [...symbols.map(tellSymbol), ...rest].join('\n');
  },
});

function tellSymbol({ name, kind, range, container, path, uri }: z.infer<ReturnType<typeof Found>>): string {
  const position = range === undefined ? '' : `:${range.start.line + 1}:${range.start.character + 1}`;
  return `${path ?? uri}${position}: ${kind} ${container === undefined ? '' : `${container}.`}${name}`;
}
