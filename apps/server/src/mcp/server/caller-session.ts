// The CodeLab session that the calls of an MCP client are made in, and its id.
import { ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';

// The CodeLab session that an MCP client's calls are made in, titled after the client so that people find it.
/** Those that were looked at: they have a title, or are somebody else's to name. */
const known = new WeakSet<SharedSession>();

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
  if (known.has(session)) return session;
  known.add(session);
  // Nothing but its opening stands in it.
  if ((await session.head()) <= 1) await session.rename(client === '' ? 'MCP client' : `${client} over MCP`);
  return session;
}

/** Undefined as long as no call was made in it. */
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

// Which CodeLab session a client's calls are made in, as long as it names none itself.
export type SessionIds = {
  id(): string;
  /** From now on another one: the one before was deleted. */
  renew(): void;
};

/** One for each person and client, for requests that stand alone. */
export type SharedIds = (subject: string, client: string) => SessionIds;

const mostShared = 1000;

export function createSharedIds(): SharedIds {
  const known = new Map<string, string>();
  return (subject, client) => {
    const key = JSON.stringify([subject, client]);
    return {
      id() {
        const id = known.get(key) ?? newSessionId();
        // The one that was asked for longest ago goes first.
        known.delete(key);
        known.set(key, id);
        if (known.size > mostShared) known.delete(known.keys().next().value ?? key);
        return id;
      },
      renew: () => void known.delete(key),
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

/** The client says which; when that one was deleted, it is told so. */
export function givenId(id: string): SessionIds {
  return { id: () => id, renew: () => undefined };
}

function newSessionId(): string {
  return `mcp-${randomId()}`;
}
