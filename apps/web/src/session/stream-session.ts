// The live side of a session: messages of the neutral wire until the connection ends or stops answering.
import { SessionStream } from '@codelab/client';
import type { NeutralMessage } from '@codelab/protocol';
import { openPageSocket, pageFetch } from '../api/page-session.ts';

type Hearing = { signal: AbortSignal; onFrame(frame: NeutralMessage): void };

const pingMs = 15_000;
const frameTypes = ['event', 'signal', 'live', 'switched', 'notice', 'session_info'] as const;

/** Resolves when the connection is lost. It does not come back by itself: a session may have been deleted, which its log tells. */
export async function streamSession(
  { id, lastSeq }: { id: string; lastSeq: number },
  { signal, onFrame }: Hearing,
): Promise<void> {
  using stream = new SessionStream({
    session: id,
    wire: 'neutral',
    since: lastSeq,
    fetch: pageFetch,
    openSocket: openPageSocket,
    beatMs: pingMs,
    signal,
  });
  for (const type of frameTypes) stream.on(type, onFrame);
  await new Promise<void>((resolve) => {
    stream.onState(({ name }) => {
      if (name === 'waiting' || name === 'closed') resolve();
    });
    stream.connect().catch(() => undefined);
  });
}
