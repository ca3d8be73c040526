// The CodeLab session that an MCP client's calls are made in, titled after the client so that people find it.
import { ToolError } from '@codelab/protocol';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import type { SessionIds } from './session-ids.ts';

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
