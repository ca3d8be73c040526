// Every place where the symbol at a place is used.
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';
import {
  FoundPlaceSchema,
  loadLookUp,
  lspAnswerFields,
  placeInput,
  planLspReading,
  tellPlace,
  tellUnserved,
} from './lsp-schemas.ts';

const Input = () => z.strictObject({ ...placeInput(), include_declaration: z._default(z.boolean(), true) });
const Output = () =>
  z.strictObject({
    ...lspAnswerFields(),
    references: z.array(FoundPlaceSchema()),
    count: z.int(),
    truncated: z.optional(z.boolean()),
  });

export const lspReferencesTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  string
>({
  name: 'lsp_references',
  kind: 'search',
  readsUnsaved: true,
  summary: 'Find every place where the symbol at a place is used, with the language server.',
  input: Input,
  output: Output,
  plan: ({ path }, context) => planLspReading(path, 'references', context),

  async run(place, path, context) {
    const { referencesAt } = await loadLookUp();
    const result = await referencesAt(path, place, context);
    return { data: { references: [], count: 0, ...result }, effects: [] };
  },

  tell(output) {
    if (!output.ok) return tellUnserved(output);
    const { references, count } = output;
    if (count === 0) return 'The server finds no use of it.';
    const rest = count > references.length ? [`[${count} places in all]`] : [];
    return [...references.map(tellPlace), ...rest].join('\n');
  },
});
