// Brings again what the last undo took back, as long as nothing was changed since.
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';
import { type PlannedUndo, performUndo, type UndoData, UndoOutput } from '../../undo/plan-undo.ts';
import { planAskingIfForced } from './undo.ts';

const Input = () =>
  z.strictObject({
    session: z.optional(z.string()),
    scope: z._default(z.enum(['session', 'workspace']), 'session'),
    force: z._default(z.boolean(), false),
  });

export const redoTool = defineTool<z.infer<ReturnType<typeof Input>>, UndoData, PlannedUndo>({
  name: 'redo',
  kind: 'edit',
  summary: 'Redo what the last undo reversed.',
  input: Input,
  output: UndoOutput,
  plan: (input, context) => planAskingIfForced('redo', input, context),
  run: (_input, prepared, context) => performUndo(prepared, context),
  tell: ({ taken_back, refused }) =>
    `Redid changes in ${taken_back.flatMap(({ paths }) => paths).length} files, refused ${refused.length}.`,
});
