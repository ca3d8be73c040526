// Lets text through and ends at the first byte that is none: it would become another one on the way, and nobody would notice.
import { type Readable, Transform } from 'node:stream';
import { ToolError } from '@codelab/protocol';

export function utf8Only(input: Readable): Readable {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        decoder.decode(chunk, { stream: true });
        done(null, chunk);
      } catch {
        done(new ToolError('INVALID_FORMAT', 'The input is no UTF-8.'));
      }
    },
  });
  input.once('error', (error) => checked.destroy(error));
  return input.pipe(checked);
}
