// Commits exactly the changes that a review shows. A person does this at the end of a turn; no model is offered it.
import * as z from 'zod/mini';
import type { PreparedReviewCommit } from '../../review/plan-commit.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { type CommitData, checkMessage, commitOutput, tellCommitted } from '../git/git-commit.ts';

const Input = () =>
  z.strictObject({
    message: z.string(),
    /** The turn that was reviewed; null for the whole session. */
    turn: z._default(z.nullable(z.int().check(z.positive())), null),
    /** Commits only these files of the review. */
    paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(2000))),
  });

export const commitReviewTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  CommitData,
  PreparedReviewCommit
>({
  name: 'commit_review',
  kind: 'execute',
  summary: 'Commit exactly the changes that a review shows; hooks are not run.',
  input: Input,
  output: commitOutput,
  async plan(input, context) {
    checkMessage(input.message);
    const { planReviewCommit } = await import('../../review/plan-commit.ts');
    return await planReviewCommit(input, context);
  },
  async run(_input, prepared, context) {
    const { makeReviewCommit } = await import('../../review/plan-commit.ts');
    return { data: await makeReviewCommit(prepared, context), effects: [] };
  },
  tell: tellCommitted,
});
