// A question answered as in seed 000: with the result of the tool that asks. Any peer that may decide at the socket may answer.
import { type ApprovalRequest, type Decision, type Outcome, readDiff, ToolError } from '@codelab/protocol';

/** The decision in the result of a question's tool. A failure on the asking side is a rejection, with the reason. */
export function answerIn({ plan }: ApprovalRequest, outcome: Outcome): Decision {
  if (outcome.status !== 'completed') {
    const { code, message } = outcome.error;
    const feedback = (code === 'REJECTED' ? message : `${code}: ${message}`).slice(0, 10_000);
    return { kind: 'reject', ...(feedback !== '' && { feedback }) };
  }
  const { action, chunks_selected, filtered_diff } = outcome.data;
  if (typeof action !== 'string')
    throw new ToolError('INVALID_ARGUMENTS', 'A question is answered with `result.action`.', {
      field: 'result.action',
    });
  if (plan.diff === undefined || action !== 'apply') return { kind: 'answer', action };
  const chunks = chunks_selected ?? chunksIn(plan.diff.text, filtered_diff);
  if (chunks === undefined) return { kind: 'answer', action };
  return { kind: 'hunks', take: checked(chunks) };
}

/** The numbers of the hunks that a part of the diff holds; undefined when no part was sent. */
function chunksIn(diff: string, part: unknown): number[] | undefined {
  if (typeof part !== 'string') return undefined;
  const [all, partHunks] = [diff, part].map((text) =>
    readDiff(text).flatMap(({ hunks }) => hunks.map(({ lines }) => lines.join('\n'))),
  );
  let at = 0;
  return partHunks?.map((lines) => {
    at = (all?.indexOf(lines, at) ?? -1) + 1;
    if (at === 0)
      throw new ToolError(
        'INVALID_ARGUMENTS',
        '`result.filtered_diff` holds a chunk that was not shown. Name the chunks in `result.chunks_selected`.',
        { field: 'result.filtered_diff' },
      );
    return at;
  });
}

function checked(chunks: unknown): number[] {
  if (Array.isArray(chunks) && chunks.every((number) => Number.isInteger(number) && number > 0))
    return [...new Set<number>(chunks)];
  throw new ToolError('INVALID_ARGUMENTS', '`result.chunks_selected` is a list of numbers from 1.', {
    field: 'result.chunks_selected',
  });
}
