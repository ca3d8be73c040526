// The sessions of this workspace that are a peer's: what they made here is theirs to see and to change.
import type { Gateway, Peer } from '../../sessions/gateway.ts';

export async function ownSessions(gateway: Gateway, by: Peer): Promise<ReadonlySet<string>> {
  return new Set((await gateway.sessions(by)).map(({ id }) => id));
}
