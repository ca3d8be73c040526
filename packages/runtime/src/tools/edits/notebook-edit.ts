// Replaces, inserts or deletes one cell of a Jupyter notebook; every other byte of the file stays.
import { type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { hunksFromSpans, unifiedFromHunks } from '../../edit/hunks-from-spans.ts';
import { editNotebook } from '../../notebook/edit-notebook.ts';
import { editRisk, type Hunk } from '../../patch/unified-diff.ts';
import { defineTool, type PlanContext } from '../../tool/define-tool.ts';
import { intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { checkRead, refuseUnsaved, seeAgain } from '../../workspace/file-checks.ts';
import type { Located } from '../../workspace/locate.ts';
import { planTextChange, readOldText, type TextChange } from '../../workspace/text-files.ts';
import { HunkSchema } from './edit-output.ts';

const Input = () =>
  z.strictObject({
    path: z.string(),
    cell_number: z.int(),
    new_source: z.string(),
    cell_type: z.optional(z.enum(['code', 'markdown', 'raw'])),
    edit_mode: z._default(z.string(), 'replace'),
    must_have_read: z._default(z.boolean(), false),
  });

const Output = () =>
  z.strictObject({
    path: z.string(),
    cell_number: z.int(),
    cell_type: z.enum(['code', 'markdown', 'raw']),
    language: z.string(),
    edit_mode: z.string(),
    cell_id: z.optional(z.string()),
    additions: z.int(),
    deletions: z.int(),
    diff: z.string(),
    structured_patch: z.array(HunkSchema()),
  });

type Input = z.infer<ReturnType<typeof Input>>;
type Output = z.infer<ReturnType<typeof Output>>;
type Prepared = {
  change: TextChange;
  hunks: Hunk[];
  cell: Pick<Output, 'cell_type' | 'language' | 'cell_id'>;
};

export const notebookEditTool = defineTool<Input, Output, Prepared>({
  name: 'notebook_edit',
  kind: 'edit',
  summary: 'Replace, insert or delete one cell of a Jupyter notebook, counted from 0.',
  input: Input,
  output: Output,

  async plan(input, context) {
    const { pathChars } = context.limits;
    using place = context.workspace.locate(input.path, { followLast: true, access: 'write', pathChars });
    refuseUnsaved(place.path, context);
    checkNotebook(input, place, context);
    const old = await readOldText(place, context);
    const { cell_number, new_source } = input;
    const edit_mode = modeOf(input.edit_mode);
    const type = input.cell_type === undefined ? {} : { cell_type: input.cell_type };
    const edited = editNotebook(old.text, { cell_number, new_source, edit_mode, ...type });
    const hunks = hunksFromSpans(old.text, edited.spans);
    const diff = unifiedFromHunks({ path: place.path, hunks, maxBytes: context.limits.diffBytes });
    const change = planTextChange(place, old, edited.text, context, diff);
    const plan: PlanDraft = {
      summary: phrase(`plan.${edit_mode}Cell`, { cell: cell_number, path: place.path }),
      ...editRisk(diff),
      touches: [{ asked: input.path, path: place.path, access: 'write' }],
      notes: edit_mode === 'replace' && edited.cell_type === 'code' ? [phrase('note.outputsCleared')] : [],
      diff,
      basis: [{ path: place.path, print: `${old.state?.digest}:${old.state?.mode}` }],
    };
    const { cell_type, language, cell_id } = edited;
    const cell = { cell_type, language, ...(cell_id === undefined ? {} : { cell_id }) };
    return { plan, intents: intentsOf(change.changes), prepared: { change, hunks, cell } };
  },

  async run({ cell_number, edit_mode }, { change, hunks, cell }, context) {
    const effects = await commitChanges(change.changes, context);
    const { additions, deletions, text: diff } = change.diff;
    const { path } = change;
    const data = {
      path,
      cell_number,
      ...cell,
      edit_mode,
      additions,
      deletions,
      diff,
      structured_patch: hunks,
    };
    return { data, effects, seen: seeAgain(context.workspace, path) };
  },

  tell: ({ path, cell_number, edit_mode }) => `${path}: cell ${cell_number} (${edit_mode}).`,
});

function checkNotebook({ path, must_have_read }: Input, place: Located, context: PlanContext): void {
  if (place.stat === undefined)
    throw new ToolError('FILE_NOT_FOUND', 'Notebook file does not exist.', { path });
  if (!path.toLowerCase().endsWith('.ipynb')) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'File must be a Jupyter notebook (.ipynb file). For other files use edit_file.',
    );
  }
  if (must_have_read) checkRead(place, context);
}

function modeOf(mode: string): 'replace' | 'insert' | 'delete' {
  if (mode === 'replace' || mode === 'insert' || mode === 'delete') return mode;
  throw new ToolError('INVALID_ARGUMENTS', 'Edit mode must be replace, insert, or delete.');
}
