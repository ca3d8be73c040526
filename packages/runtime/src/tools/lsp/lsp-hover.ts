// A language server's information about the symbol at a place: type and documentation.
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';
import { loadLookUp, lspAnswerFields, placeInput, planLspReading, tellUnserved } from './lsp-schemas.ts';

const Input = () => z.strictObject(placeInput());
const Output = () => z.strictObject({ ...lspAnswerFields(), contents: z.optional(z.string()) });

export const lspHoverTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  string
>({
  name: 'lsp_hover',
  kind: 'read',
  readsUnsaved: true,
  summary: 'Show the type and the documentation of the symbol at a place, from the language server.',
  input: Input,
  output: Output,
  plan: ({ path }, context) => planLspReading(path, 'hover', context),

  async run(place, path, context) {
    const { hoverAt } = await loadLookUp();
    return { data: await hoverAt(path, place, context), effects: [] };
  },

  tell: (output) => (output.ok ? output.contents || (output.message ?? '') : tellUnserved(output)),
});
