// Why work was aborted when somebody cancelled it: the reason of the abort signal, which the log records.
import { Actor } from './call.ts';
import { ToolError } from './errors.ts';

export function cancellation(by: Actor): ToolError {
  return new ToolError('CANCELLED', 'The call was cancelled.', { by });
}

/** Who cancelled, when the signal was aborted with a `cancellation`. */
export function cancelledBy({ reason }: AbortSignal): Actor | undefined {
  if (!(reason instanceof ToolError) || reason.code !== 'CANCELLED') return undefined;
  return Actor().safeParse(reason.details?.by).data;
}
