// Restores files that were held back after an unasked command.
import * as z from 'zod/mini';
import { planRestore } from '../../held-back/plan-restore.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { type Change, intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { seeAgain } from '../../workspace/file-checks.ts';

const Input = () =>
  z.strictObject({
    call_id: z.string(),
    session: z.optional(z.string()),
    paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
  });

const Output = () => z.strictObject({ call_id: z.string(), restored: z.array(z.string()) });

export const restoreHeldBackTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  Change[]
>({
  name: 'restore_held_back',
  kind: 'edit',
  summary: 'Restore files that were held back after a command that ran unasked. A human decides.',
  input: Input,
  output: Output,
  plan: planRestore,

  async run({ call_id }, changes, context) {
    const effects = await commitChanges(changes, context);
    const restored = intentsOf(changes).map(({ path }) => path);
    const files = effects.filter(({ after }) => after?.type === 'file');
    return {
      data: { call_id, restored },
      effects,
      seen: files.flatMap(({ path }) => seeAgain(context.workspace, path)),
    };
  },

  tell: ({ restored }) => `Restored ${restored.join(', ')}.`,
});
