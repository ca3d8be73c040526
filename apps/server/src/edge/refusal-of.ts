// The message for a refusal that fastify or Node makes before our own code runs, by its status.
import type { ErrorCode } from '@codelab/protocol';

type Said = { code: ErrorCode; message: string };

const saidAt: Record<number, Said> = {
  400: { code: 'INVALID_FORMAT', message: 'This is not HTTP that can be read.' },
  408: { code: 'TIMEOUT', message: 'The request did not come to its end in time. Send it again.' },
  413: { code: 'FILE_TOO_LARGE', message: 'The body is too large: a request has at most 10 MB.' },
  414: { code: 'INVALID_FORMAT', message: 'The address is too long: an id has at most 300 characters.' },
  415: {
    code: 'INVALID_FORMAT',
    message: 'Only JSON is read: send it with `Content-Type: application/json`.',
  },
  417: { code: 'INVALID_FORMAT', message: 'Of `Expect` only `100-continue` is known. Leave it out.' },
  431: { code: 'INVALID_FORMAT', message: 'The headers are too large. Send fewer or shorter ones.' },
};

/** `message` where there are no words of ours. */
export function httpRefusalOf(status: number, message: string): Said {
  return saidAt[status] ?? { code: 'INVALID_FORMAT', message };
}
