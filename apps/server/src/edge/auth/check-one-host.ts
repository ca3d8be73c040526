// Refuses a request that says twice to whom it goes.
import type { IncomingMessage } from 'node:http';
import { ToolError } from '@codelab/protocol';

/** Which of two names is meant could be seen differently by whoever stands in between. */
export function checkOneHost({ rawHeaders, url = '/' }: IncomingMessage): void {
  // `*` is for OPTIONS alone; a whole address names a host of its own, which nobody has looked at.
  if (!url.startsWith('/') && url !== '*')
    throw new ToolError('INVALID_FORMAT', 'The request names a host in its address. Send the path alone.');
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count++;
  if (count > 1) throw new ToolError('INVALID_FORMAT', 'There is more than one `Host`. Send one.');
}
