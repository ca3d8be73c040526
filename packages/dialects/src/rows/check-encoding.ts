// The encoding a caller names must be the one there is.
import { ToolError } from '@codelab/protocol';
import { short } from '../short.ts';

export function checkEncoding(encoding: unknown): void {
  if (encoding === undefined || /^utf-?8$/i.test(String(encoding))) return;
  const named = short(String(encoding));
  const message = `Only UTF-8 text is read and written here, not ${JSON.stringify(named)}.`;
  throw new ToolError('ENCODING_ERROR', message, { encoding: named });
}
