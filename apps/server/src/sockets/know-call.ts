// A call that this socket has not heard of, looked up, so that its end is spelled as it was asked: it may have begun before the peer came back.
import type { Line } from './line.ts';

export async function knowCall({ session, since, scribe }: Line, callId: string): Promise<void> {
  if (scribe.calls.has(callId)) return;
  const live = await session.host.session(session.id);
  const received = await live.received(callId);
  if (received === undefined) return;
  // Whoever names the entry it goes on from has heard of what came before it.
  scribe.calls.know(received.call, since !== undefined && received.seq <= since);
}
