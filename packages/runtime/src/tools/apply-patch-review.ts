// Shows a diff to the human, who takes some of its hunks; answers with the diff of those. Nothing is applied.
import type { Plan } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../core/define-tool.ts';
import type { FilePatch } from '../patch/file-patch.ts';
import { formatPatch } from '../patch/format-patch.ts';
import { planPatch } from '../patch/plan-patch.ts';
import { selectHunks } from '../patch/select-hunks.ts';

const Input = () =>
  z.strictObject({ diff: z.string(), message: z.optional(z.string().check(z.maxLength(10_000))) });

const Output = () =>
  z.strictObject({
    filtered_diff: z.string(),
    action: z.enum(['apply', 'cancel']),
    chunks_selected: z.array(z.int()),
    chunks_total: z.int(),
  });

type Prepared = { files: FilePatch[]; total: number };

export const applyPatchReview = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  Prepared
>({
  name: 'apply_patch_review',
  kind: 'ask',
  summary: 'Let the human choose hunks of a diff; returns the diff of the chosen ones and applies nothing.',
  input: Input,
  output: Output,

  plan({ diff, message = 'Which of these changes shall be made?' }, context) {
    const planned = planPatch(diff, context);
    const plan: Plan = {
      summary: `Review ${planned.diff.hunks} hunks in ${planned.patched.length} files`,
      risk: 'low',
      riskReason: 'It only asks; nothing is applied.',
      touches: planned.patched.map(({ path }) => ({ asked: path, path, access: 'read' })),
      notes: [],
      diff: planned.diff,
      question: { message, actions: ['apply', 'cancel'] },
      basis: [],
    };
    return { plan, intents: [], prepared: { files: planned.files, total: planned.diff.hunks } };
  },

  run(_input, { files, total }, { answer, take }) {
    const all = Array.from({ length: total }, (_, i) => i + 1);
    const chosen = take === undefined ? (answer === 'apply' ? all : []) : all.filter((n) => take.includes(n));
    const action: 'apply' | 'cancel' = chosen.length > 0 ? 'apply' : 'cancel';
    const filtered_diff = chosen.length > 0 ? formatPatch(selectHunks(files, chosen)) : '';
    return { data: { filtered_diff, action, chunks_selected: chosen, chunks_total: total }, effects: [] };
  },

  tell: ({ action, chunks_selected, chunks_total }) =>
    action === 'apply'
      ? `The human took ${chunks_selected.length} of ${chunks_total} hunks.`
      : 'The human took none of it.',
});
