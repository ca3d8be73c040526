// Refuses a request that says twice to whom it goes.
import type { IncomingMessage } from 'node:http';
import { ToolError } from '@codelab/protocol';

/** Which of two names is meant could be seen differently by whoever stands in between. */
export function checkOneHost({ rawHeaders }: IncomingMessage): void {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++;
  if (count > 1) throw new ToolError('INVALID_FORMAT', 'There is more than one `Host`. Send one.');
}
