// Brings again what the last undo took back, as long as nothing was changed since.
import * as z from 'zod/mini';
import { defineTool } from '../tool/define-tool.ts';
import {
  planTakeBack,
  runTakeBack,
  type TakeBack,
  type TakeBackData,
  TakeBackOutput,
} from '../undo/plan-undo.ts';

const Input = () =>
  z.strictObject({
    session: z.optional(z.string()),
    scope: z._default(z.enum(['session', 'workspace']), 'session'),
    force: z._default(z.boolean(), false),
  });

export const redo = defineTool<z.infer<ReturnType<typeof Input>>, TakeBackData, TakeBack>({
  name: 'redo',
  kind: 'edit',
  summary: 'Bring again what the last undo took back.',
  input: Input,
  output: TakeBackOutput,
  plan: (input, context) => planTakeBack('redo', input, context),
  run: (_input, prepared, context) => runTakeBack(prepared, context),
  tell: ({ taken_back, refused }) =>
    `Brought again ${taken_back.flatMap(({ paths }) => paths).length} files, refused ${refused.length}.`,
});
