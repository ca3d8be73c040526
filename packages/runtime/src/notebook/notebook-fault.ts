/** A notebook file that cannot be edited as it is: the file is at fault, not the arguments. */
import { ToolError } from '@codelab/protocol';

export function notebookFault(message: string, details?: Record<string, unknown>): ToolError {
  return new ToolError('EXECUTION_FAILED', message, details);
}
