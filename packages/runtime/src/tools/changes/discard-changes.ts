// Discards hunks, files or everything of a review: undo of just that part. A person does this at the end of a turn; no model is offered it.
import { ErrorCode } from '@codelab/protocol';
import * as z from 'zod/mini';
import { discardTool } from '../../review/find-calls.ts';
import type { DiscardData, PlannedDiscard } from '../../review/plan-discard.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    /** The turn that was reviewed; null for the whole session. */
    turn: z._default(z.nullable(z.int().check(z.positive())), null),
    hunks: z._default(z.array(z.string()), []),
    /** The text that replaces a hunk. */
    edits: z.optional(z.array(z.strictObject({ hunk: z.string(), text: z.string() }))),
    files: z.optional(z.array(z.string())),
    all: z.optional(z.literal(true)),
  });

const fileFields = () => ({ path: z.string(), hunks: z.array(z.string()) });

const Output = () =>
  z.strictObject({
    turn: z.nullable(z.int()),
    discarded: z.array(z.strictObject(fileFields())),
    refused: z.array(z.strictObject({ ...fileFields(), reason: z.string(), code: ErrorCode() })),
    /** How many effects each set of changes had, in order. */
    steps: z.array(z.int()),
  });

export const discardChangesTool = defineTool<z.infer<ReturnType<typeof Input>>, DiscardData, PlannedDiscard>({
  name: discardTool,
  kind: 'edit',
  summary: 'Discard hunks, files or everything that a turn or the session changed.',
  input: Input,
  output: Output,
  async plan(input, context) {
    const { planDiscard } = await import('../../review/plan-discard.ts');
    return await planDiscard(input, context);
  },
  async run(_input, prepared, context) {
    const { runDiscard } = await import('../../review/plan-discard.ts');
    return await runDiscard(prepared, context);
  },
  tell: ({ discarded, refused }) =>
    `Discarded changes in ${discarded.length} files, refused ${refused.length}.`,
});
