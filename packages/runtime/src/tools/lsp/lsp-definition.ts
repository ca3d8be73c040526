// Where the symbol at a place is defined.
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

const Input = () => z.strictObject(placeInput());
const Output = () =>
  z.strictObject({
    ...lspAnswerFields(),
    location: z.optional(FoundPlaceSchema()),
    /** Further definitions, when the symbol has several. */
    others: z.optional(z.array(FoundPlaceSchema())),
  });

export const lspDefinitionTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  string
>({
  name: 'lsp_definition',
  kind: 'read',
  readsUnsaved: true,
  summary: 'Find where the symbol at a place is defined, with the language server.',
  input: Input,
  output: Output,
  plan: ({ path }, context) => planLspReading(path, 'definition', context),

  async run(place, path, context) {
    const { definitionAt } = await loadLookUp();
    return { data: await definitionAt(path, place, context), effects: [] };
  },

  tell(output) {
    if (!output.ok) return tellUnserved(output);
    const { location, others = [], message } = output;
    if (location === undefined) return message ?? 'No definition was found.';
    return [location, ...others].map(tellPlace).join('\n');
  },
});
