// Several replacements in one text file, each in the result of the one before; all of them or none.
import * as z from 'zod/mini';
import { type EditData, narrowEdit, type PlannedEdit, planEdit, runEdit } from '../../edit/plan-edit.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { EditOutput } from './edit-output.ts';

const maxEdits = 100;

const One = () =>
  z.strictObject({
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z._default(z.boolean(), false),
  });

const Input = () =>
  z.strictObject({
    path: z.string(),
    edits: z.array(One()).check(z.minLength(1), z.maxLength(maxEdits)),
    tolerant: z._default(z.boolean(), false),
    create: z._default(z.boolean(), true),
    must_have_read: z._default(z.boolean(), false),
  });

type Input = z.infer<ReturnType<typeof Input>>;

export const multiEditTool = defineTool<Input, EditData, PlannedEdit>({
  name: 'multi_edit',
  kind: 'edit',
  summary: 'Make several replacements in one text file, one after the other, all of them or none.',
  input: Input,
  output: EditOutput,
  plan: ({ path, edits, tolerant, create, must_have_read }, context) =>
    planEdit(
      {
        path,
        edits,
        tolerant,
        create,
        eatNewline: false,
        mustHaveRead: must_have_read,
        includeOriginal: false,
      },
      context,
    ),
  run: (_input, planned, context) => runEdit(planned, context),
  narrow: (input, planned, choice) => ({
    ...input,
    edits: [{ ...narrowEdit(planned, choice), replace_all: false }],
  }),
  tell: ({ path, replacements, additions, deletions }) =>
    `${path}: ${replacements} replacements (+${additions} −${deletions} lines).`,
});
