// SQLite's result codes as ours.
import { ToolError } from '@codelab/protocol';
import { limitFault } from '@codelab/runtime';

export function storeFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ToolError) return error;
  const limited = limitFault(error);
  if (limited !== undefined) return limited;
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
  if (code === 13)
    return new ToolError(
      'NO_SPACE',
      'No space is left for the session log. Free some; nothing was acknowledged.',
    );
  if (code === 11 || code === 26)
    return new ToolError(
      'LOG_DAMAGED',
      `The session log is damaged: ${error.message}. \`codelab audit verify\` says where.`,
    );
  if (code !== undefined)
    return new ToolError('IO_ERROR', `The session log can't be used: ${error.message}.`);
  if ('syscall' in error && /^f(data)?sync$/.test(String(error.syscall)))
    return new ToolError(
      'IO_ERROR',
      `The disk does not confirm that the session log was written: ${error.message}. Look at the system log, then try again.`,
    );
  if ('syscall' in error)
    return new ToolError('IO_ERROR', `The session log can't be opened: ${error.message}.`);
  return error;
}
