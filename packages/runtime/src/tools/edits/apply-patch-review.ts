// Shows a diff to the human, who chooses some of its hunks, and returns the diff of those. Nothing is applied.
import { type Phrase, type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { narrowPatch, rewritePatch } from '../../edit/narrow-patch.ts';
import { type PlannedPatch, planPatch } from '../../edit/plan-patch.ts';
import { type ReadPatch, readAppliedPatch, readPatchAlone } from '../../edit/read-patch.ts';
import type { FilePatch } from '../../patch/file-patch.ts';
import { formatPatch } from '../../patch/format-patch.ts';
import { defineTool, type PlanContext } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({ diff: z.string(), message: z.optional(z.string().check(z.maxLength(10_000))) });

const Output = () =>
  z.strictObject({
    filtered_diff: z.string(),
    action: z.enum(['apply', 'cancel']),
    chunks_selected: z.array(z.int()),
    chunks_total: z.int(),
  });

/** `planned` is missing when the changes are in the files already, or the files are elsewhere. */
type Prepared = { files: FilePatch[]; total: number; planned?: PlannedPatch };

export const applyPatchReviewTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  Prepared
>({
  name: 'apply_patch_review',
  kind: 'ask',
  summary: 'Let the human choose hunks of a diff; returns the diff of the chosen ones and applies nothing.',
  input: Input,
  output: Output,

  plan(input, context) {
    const { files, diff, planned } = readReview(input.diff, context);
    const paths = new Set(files.flatMap(({ oldPath, newPath }) => newPath ?? oldPath ?? []));
    const plan: PlanDraft = {
      summary: phrase('plan.reviewPatch', { hunks: diff.hunks, files: paths.size }),
      risk: 'low',
      riskReason: phrase('risk.onlyAsksReview'),
      touches: [...paths].map((path) => ({ asked: path, path, access: 'read' })),
      notes: planned === undefined ? [noteOn(context)] : [],
      diff,
      question: {
        message: input.message ?? 'Which of these changes shall be made?',
        actions: ['apply', 'cancel'],
      },
      basis: [],
    };
    return { plan, intents: [], prepared: { files, total: diff.hunks, ...(planned && { planned }) } };
  },

  run(_input, { files, total, planned }, { answer, choice }) {
    const allHunks = Array.from({ length: total }, (_, i) => i + 1);
    const takenNumbers = choice?.take ?? (answer === 'apply' ? allHunks : []);
    const chunks_selected = allHunks.filter((number) => takenNumbers.includes(number));
    const counts = { chunks_selected, chunks_total: total };
    if (chunks_selected.length === 0)
      return { data: { ...counts, filtered_diff: '', action: 'cancel' }, effects: [] };
    const effectiveChoice = { ...choice, take: chunks_selected };
    const isEdited = effectiveChoice.edits !== undefined;
    const filtered =
      isEdited && planned ? narrowPatch(planned, effectiveChoice) : rewritePatch(files, effectiveChoice);
    return { data: { ...counts, filtered_diff: formatPatch(filtered), action: 'apply' }, effects: [] };
  },

  tell: ({ action, chunks_selected, chunks_total }) =>
    action === 'apply'
      ? `The human took ${chunks_selected.length} of ${chunks_total} hunks.`
      : 'The human took none of it.',
});

function noteOn({ hasNoFiles }: PlanContext): Phrase {
  return phrase(hasNoFiles ? 'note.clientFiles' : 'note.alreadyApplied');
}

function readReview(text: string, context: PlanContext): ReadPatch & { planned?: PlannedPatch } {
  if (context.hasNoFiles) return readPatchAlone(text, context);
  try {
    const planned = planPatch(text, context);
    return { files: planned.files, diff: planned.diff, planned };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'PATCH_APPLY_FAILED') throw error;
    const applied = readAppliedPatch(text, context);
    if (applied === undefined) throw error;
    return applied;
  }
}
