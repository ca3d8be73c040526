// The errors and warnings that a language server finds in a file.
import * as z from 'zod/mini';
import { tellDiagnostic } from '../../lsp/tell-diagnostic.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { loadLookUp, lspAnswerFields, planLspReading, RangeSchema, tellUnserved } from './lsp-schemas.ts';

const Input = () => z.strictObject({ path: z.string() });

const Diagnostic = () =>
  z.strictObject({
    range: RangeSchema(),
    severity: z.enum(['error', 'warning', 'information', 'hint']),
    message: z.string(),
    code: z.optional(z.string()),
    source: z.optional(z.string()),
  });

const Output = () =>
  z.strictObject({
    ...lspAnswerFields(),
    path: z.string(),
    diagnostics: z.array(Diagnostic()),
    count: z.int(),
    truncated: z.optional(z.boolean()),
    /** False when the server had not finished in time. */
    complete: z.optional(z.boolean()),
  });

type Output = z.infer<ReturnType<typeof Output>>;

export const lspDiagnosticsTool = defineTool<z.infer<ReturnType<typeof Input>>, Output, string>({
  name: 'lsp_diagnostics',
  kind: 'read',
  readsUnsaved: true,
  summary: 'List the errors and warnings that the language server finds in a file.',
  input: Input,
  output: Output,
  plan: ({ path }, context) => planLspReading(path, 'diagnostics', context),

  async run(_input, path, context) {
    const { diagnosticsOf } = await loadLookUp();
    const result = await diagnosticsOf(path, context);
    return { data: { path, diagnostics: [], count: 0, ...result }, effects: [] };
  },

  tell(output) {
    if (!output.ok) return tellUnserved(output);
    const { path, diagnostics, count, complete, message } = output;
    const lines = diagnostics.map((diagnostic) => tellDiagnostic(path, diagnostic));
    const rest = count > diagnostics.length ? [`[and ${count - diagnostics.length} more]`] : [];
    const notice = complete === false && message !== undefined ? [message] : [];
    if (count === 0 && notice.length === 0) return `${path}: no errors or warnings.`;
    return [...lines, ...rest, ...notice].join('\n');
  },
});
