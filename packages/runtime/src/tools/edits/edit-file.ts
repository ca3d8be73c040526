// Replaces a piece of a text file; the piece is found by its content.
import * as z from 'zod/mini';
import { type EditData, narrowEdit, type PlannedEdit, planEdit, runEdit } from '../../edit/plan-edit.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { EditOutput } from './edit-output.ts';

const Input = () =>
  z.strictObject({
    path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z._default(z.boolean(), false),
    /** When nothing matches exactly: overlook trailing blanks, line endings and typographic characters. */
    tolerant: z._default(z.boolean(), false),
    /** An empty old_string makes a new file. */
    create: z._default(z.boolean(), true),
    eat_newline: z._default(z.boolean(), false),
    must_have_read: z._default(z.boolean(), false),
    include_original: z._default(z.boolean(), false),
  });

type Input = z.infer<ReturnType<typeof Input>>;

export const editFileTool = defineTool<Input, EditData, PlannedEdit>({
  name: 'edit_file',
  kind: 'edit',
  summary: 'Replace one piece of a text file, or with replace_all every one; old_string must be unique.',
  input: Input,
  output: EditOutput,
  plan: (input, context) => {
    const { path, old_string, new_string, replace_all, tolerant, create } = input;
    const {
      eat_newline: eatNewline,
      must_have_read: mustHaveRead,
      include_original: includeOriginal,
    } = input;
    const edits = [{ old_string, new_string, replace_all }];
    return planEdit({ path, edits, tolerant, create, eatNewline, mustHaveRead, includeOriginal }, context);
  },
  run: (_input, planned, context) => runEdit(planned, context),
  narrow: (input, planned, choice) => ({ ...input, ...narrowEdit(planned, choice), replace_all: false }),
  tell: ({ path, replacements, additions, deletions }) =>
    `${path}: ${replacements} replacements (+${additions} −${deletions} lines).`,
});
