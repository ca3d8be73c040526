// The end of reading a line: it can't be judged, so it never runs.
import { ToolError } from '@codelab/protocol';

export function unreadable(reason: string): ToolError {
  return new ToolError('COMMAND_NOT_ALLOWED', reason);
}
