// Whether the calls of a session are for a client: its first entry says so.
import type { SessionLog } from '@codelab/protocol';

export async function opensRemote(log: SessionLog, session: string): Promise<boolean> {
  const [first] = await log.read(session, { limit: 1 });
  return first?.body.type === 'session.opened' && first.body.executor === 'client';
}
