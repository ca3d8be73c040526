// Takes back what calls did to files: the latest turn or call that stands, or the ones named. What was changed since stays, by name.
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';
import { type PlannedUndo, performUndo, planUndo, type UndoData, UndoOutput } from '../../undo/plan-undo.ts';

const Input = () =>
  z.strictObject({
    session: z.optional(z.string()),
    scope: z._default(z.enum(['session', 'workspace']), 'session'),
    call_id: z.optional(z.string()),
    turn: z.optional(z.int().check(z.positive())),
    /** This turn and all later ones. */
    from_turn: z.optional(z.int().check(z.positive())),
    paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
    force: z._default(z.boolean(), false),
  });

export const undoTool = defineTool<z.infer<ReturnType<typeof Input>>, UndoData, PlannedUndo>({
  name: 'undo',
  kind: 'edit',
  summary: 'Take back the file changes of the latest turn or call, or of the one named.',
  input: Input,
  output: UndoOutput,
  plan: (input, context) => planUndo('undo', input, context),
  run: (_input, prepared, context) => performUndo(prepared, context),
  tell: ({ taken_back, refused }) =>
    `Took back ${taken_back.flatMap(({ paths }) => paths).length} files, refused ${refused.length}.`,
});
