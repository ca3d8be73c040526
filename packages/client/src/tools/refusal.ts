// A call that was not carried out, or went wrong here, in the form of its result.
import { addressOf, findDialect, refuse } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import type { ToolResult } from '../api/tool-calls.ts';
import type { ToolExecutionSignal } from './tool-event.ts';

export function refusal(signal: ToolExecutionSignal, error: unknown, ending: AbortSignal): ToolResult {
  const said = findDialect('plugin').encode(refuse(addressOf(signal), asToolError(error, ending)));
  return said as ToolResult;
}

function asToolError(error: unknown, ending: AbortSignal): ToolError {
  if (error instanceof ToolError) return error;
  if (ending.aborted) return new ToolError('CANCELLED', 'The call was cancelled: the client was closed.');
  const message = error instanceof Error ? error.message : 'It could not be carried out.';
  return new ToolError('EXECUTION_FAILED', message);
}
