// Renames a symbol in all files. The language server says where; the change itself is a patch like any other: shown before, taken by hunk,
// made whole or not at all, and undone.
import { type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { narrowPatch } from '../../edit/narrow-patch.ts';
import { type PlannedPatch, planPatch } from '../../edit/plan-patch.ts';
import type { UnservedAnswer } from '../../lsp/standing.ts';
import { formatPatch } from '../../patch/format-patch.ts';
import { countHunkLines } from '../../patch/select-hunks.ts';
import { editRisk } from '../../patch/unified-diff.ts';
import { defineTool, type PlanContext, type Planned } from '../../tool/define-tool.ts';
import { intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { lspAnswerFields, placeInput, planLspReading, tellUnserved } from './lsp-schemas.ts';

const Input = () =>
  z.strictObject({
    ...placeInput(),
    new_name: z.string().check(z.minLength(1), z.maxLength(500)),
    /** The part of the change that a person took. The server is not asked then. */
    patch: z.optional(z.string()),
  });

const Output = () =>
  z.strictObject({
    ...lspAnswerFields(),
    files: z.array(z.strictObject({ path: z.string(), additions: z.int(), deletions: z.int() })),
    count: z.int(),
    diff: z.string(),
  });

/** A rename can't be made in parts, as a patch can. */
const mostFiles = 500;

type Input = z.infer<ReturnType<typeof Input>>;
type Prepared = { patch: PlannedPatch; server?: string } | { unserved: UnservedAnswer };

export const lspRenameTool = defineTool<Input, z.infer<ReturnType<typeof Output>>, Prepared>({
  name: 'lsp_rename',
  kind: 'edit',
  summary: 'Rename the symbol at a place in every file that uses it, with the language server.',
  input: Input,
  output: Output,

  async plan(input, context) {
    const { plan, prepared: path } = planLspReading(input.path, 'renameSymbol', context);
    if (/[\r\n\0]/.test(input.new_name))
      throw new ToolError('INVALID_ARGUMENTS', '`new_name` is one name, without line breaks.', {
        field: 'new_name',
      });
    if (input.patch !== undefined) return planAs(input, input.patch, context);
    const { renameAsPatch } = await import('../../lsp/rename.ts');
    const request = { ...input, path, newName: input.new_name, mostFiles };
    const renamed = await renameAsPatch(request, context);
    // The rename would change nothing, so the call only reports why.
    if ('ok' in renamed) return { plan, kind: 'read', intents: [], prepared: { unserved: renamed } };
    return planAs(input, renamed.patch, context, renamed.server);
  },

  async run(_input, prepared, context) {
    if ('unserved' in prepared)
      return { data: { ...prepared.unserved, files: [], count: 0, diff: '' }, effects: [] };
    const { patch, server } = prepared;
    const effects = await commitChanges(patch.changes, context);
    const files = patch.files.map(({ newPath, hunks }) => ({
      path: newPath ?? '',
      ...countHunkLines(hunks),
    }));
    const serverStatus = {
      ok: true,
      server_status: 'active' as const,
      ...(server !== undefined && { server }),
    };
    return { data: { ...serverStatus, files, count: files.length, diff: patch.diff.text }, effects };
  },

  narrow(input, prepared, choice) {
    if ('unserved' in prepared) return input;
    return { ...input, patch: formatPatch(narrowPatch(prepared.patch, choice)) };
  },

  tell: (output) =>
    output.ok
      ? `Renamed in ${output.files.map(({ path, additions }) => `${path} (${additions} lines)`).join(', ')}.`
      : tellUnserved(output),
});

function planAs(
  { path: requestedPath, new_name, line }: Input,
  text: string,
  context: PlanContext,
  server?: string,
): Planned<Prepared> {
  const patch = planPatch(text, { ...context, limits: { ...context.limits, patchFiles: mostFiles } });
  const { patched, diff, changes } = patch;
  const plan: PlanDraft = {
    summary: phrase('plan.rename', {
      place: `${requestedPath}:${line + 1}`,
      name: new_name,
      files: patched.length,
    }),
    ...editRisk(diff, patched.length),
    touches: patched.map(({ path }) => ({ asked: path, path, access: 'write' })),
    notes: [],
    diff,
    basis: patched.map(({ path, target }) => ({
      path,
      print: `${target.state?.digest}:${target.state?.mode}`,
    })),
  };
  return { plan, intents: intentsOf(changes), prepared: { patch, ...(server !== undefined && { server }) } };
}
