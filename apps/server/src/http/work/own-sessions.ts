// The sessions of this workspace that belong to a peer.
import type { Gateway, Peer } from '../../sessions/gateway.ts';

export async function ownSessions(gateway: Gateway, by: Peer): Promise<ReadonlySet<string>> {
  return new Set((await gateway.sessions(by)).map(({ id }) => id));
}
