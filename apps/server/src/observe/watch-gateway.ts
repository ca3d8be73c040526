// Tells whom a session was refused to and who deleted one, and lets what a peer says be traced to them.
import { ToolError } from '@codelab/protocol';
import type { Gateway, Peer, SharedSession } from '../sessions/gateway.ts';
import { because } from './cause.ts';
import type { LogLines } from './open-log-lines.ts';

export function watchGateway(gateway: Gateway, lines: LogLines): Gateway {
  return {
    ...gateway,
    async session(id, by, options) {
      const session = await because(causeOf(by), () => gateway.session(id, by, options)).catch(refused);
      return speaking(session);
      function refused(error: unknown): never {
        if (error instanceof ToolError && error.code === 'PERMISSION_DENIED')
          lines.info({ session: id, code: error.code, ...causeOf(by) }, 'session refused');
        throw error;
      }
    },
    async opened(id) {
      const session = await gateway.opened(id);
      return session && speaking(session);
    },
    fork: async (id, by, options) =>
      speaking(await because(causeOf(by), () => gateway.fork(id, by, options))),
    async deleteSession(id, by) {
      await gateway.deleteSession(id, by);
      lines.info({ session: id, ...causeOf(by) }, 'session deleted');
    },
  };
}

const known = new WeakMap<SharedSession, SharedSession>();

/** The same for the same session, so that whoever keeps one can find it again. */
function speaking(session: SharedSession): SharedSession {
  const found = known.get(session);
  if (found !== undefined) return found;
  const told = Object.create(session, {
    say: {
      value: (...said: Parameters<SharedSession['say']>) =>
        because(causeOf(said[1]), () => session.say(...said)),
    },
  }) as SharedSession;
  known.set(session, told);
  return told;
}

function causeOf({ subject, via }: Peer): { who: string; via: string } {
  return { who: subject, via };
}
