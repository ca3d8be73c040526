// Tells who was turned away at the door, and why; not what they brought.
import { ToolError } from '@codelab/protocol';
import type { Auth } from '../edge/auth/create-auth.ts';
import { createRateLimit } from '../edge/rate-limit.ts';
import type { LogLines } from './open-log-lines.ts';

type From = { via?: string; address?: string };

// A flood at the door must not become one in the log; the counter has them all.
const lineRate = { perSecond: 2, burst: 50 };

export function watchDoor(auth: Auth, seen: { lines: LogLines; refused(why: string): void }): Auth {
  const rate = createRateLimit(lineRate);
  let untold = 0;
  function note(error: unknown, from: From): void {
    const code = error instanceof ToolError ? error.code : 'INTERNAL';
    const said = error instanceof ToolError ? error.details?.reason : undefined;
    const reason = typeof said === 'string' ? said : code;
    seen.refused(reason);
    if (!rate.take('')) untold++;
    else {
      seen.lines.info({ code, reason, ...from, ...(untold > 0 && { untold }) }, 'door refused');
      untold = 0;
    }
  }
  return {
    ...auth,
    checkOrigin(headers) {
      try {
        auth.checkOrigin(headers);
      } catch (error) {
        note(error, {});
        throw error;
      }
    },
    async checkProcess(connection) {
      try {
        await auth.checkProcess?.(connection);
      } catch (error) {
        const { remoteAddress: address } = connection;
        note(error, address === undefined ? {} : { address });
        throw error;
      }
    },
    async admit(asking, via) {
      try {
        return await auth.admit(asking, via);
      } catch (error) {
        note(error, { via, address: asking.address });
        throw error;
      }
    },
  };
}
