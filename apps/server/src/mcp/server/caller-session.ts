// The CodeLab session of an MCP client's calls, titled after the client so that people find it, and its id.
import { ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';

/** Checked sessions: they have a title, or belong to another person. */
const checkedSessions = new WeakSet<SharedSession>();
const mostShared = 1000;

type Options = { peer: Peer; client: string; ids: SessionIds };

export async function openCallerSession(
  gateway: Gateway,
  { peer, client, ids }: Options,
): Promise<SharedSession> {
  const session = await gateway.session(ids.id(), peer).catch((error: unknown) => {
    if (!isNotThere(error)) throw error;
    ids.renew();
    return gateway.session(ids.id(), peer);
  });
  if (checkedSessions.has(session)) return session;
  checkedSessions.add(session);
  // The session has nothing but its first entry.
  if ((await session.head()) <= 1) await session.rename(client === '' ? 'MCP client' : `${client} over MCP`);
  return session;
}

/** Undefined until a call was made in it. */
export async function findCallerSession(
  gateway: Gateway,
  { peer, ids }: Omit<Options, 'client'>,
): Promise<SharedSession | undefined> {
  try {
    return await gateway.session(ids.id(), peer, { mustExist: true });
  } catch (error) {
    if (isNotThere(error)) return undefined;
    throw error;
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'SESSION_NOT_FOUND';
}

// The CodeLab session for a client's calls, unless the client names one.
export type SessionIds = {
  id(): string;
  /** Switches to a new session, because the one before was deleted. */
  renew(): void;
};

/** One session per person and client, for standalone requests. */
export type SharedIds = (subject: string, client: string) => SessionIds;

export function createSharedIds(): SharedIds {
  const sessionIds = new Map<string, string>();
  return (subject, client) => {
    const key = JSON.stringify([subject, client]);
    return {
      id() {
        const id = sessionIds.get(key) ?? newSessionId();
        // The least recently used one goes first.
        sessionIds.delete(key);
        sessionIds.set(key, id);
        if (sessionIds.size > mostShared) sessionIds.delete(sessionIds.keys().next().value ?? key);
        return id;
      },
      renew: () => void sessionIds.delete(key),
    };
  };
}

export function createOwnId(): SessionIds {
  let id: string | undefined;
  return {
    id: () => (id ??= newSessionId()),
    renew() {
      id = undefined;
    },
  };
}

/** The session that the client names; when it was deleted, the client gets an error. */
export function givenId(id: string): SessionIds {
  return { id: () => id, renew: () => undefined };
}

function newSessionId(): string {
  return `mcp-${randomId()}`;
}
