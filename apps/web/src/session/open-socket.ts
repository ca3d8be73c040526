// The live side of a session: frames of the neutral dialect until the connection ends, or is silent though it was asked.
import type { NeutralMessage } from '@codelab/protocol';
import { socketProtocols } from '../api/page-session.ts';

type Options = { session: string; since: number; signal: AbortSignal; onFrame(frame: NeutralMessage): void };

const pingMs = 15_000;
const longestSilenceMs = 2.5 * pingMs;

/** Resolves when the connection has ended, for whatever reason. */
export function openSocket({ session, since, signal, onFrame }: Options): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(addressOf(session, since), socketProtocols());
    let heardAt = performance.now();
    // A machine that slept, or a network that is gone, tells nobody: the closing handshake is not waited for.
    const end = (): void => {
      clearInterval(beat);
      signal.removeEventListener('abort', end);
      socket.onmessage = null;
      socket.close();
      resolve();
    };
    const beat = setInterval(() => {
      if (performance.now() - heardAt > longestSilenceMs) end();
      else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
    }, pingMs);
    signal.addEventListener('abort', end);
    socket.onclose = end;
    socket.onmessage = ({ data }) => {
      heardAt = performance.now();
      const frame = readFrame(data);
      if (frame !== undefined) onFrame(frame);
    };
  });
}

function addressOf(session: string, since: number): URL {
  const address = new URL(`/ws/${encodeURIComponent(session)}`, location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.search = `?dialect=neutral&since=${since}`;
  return address;
}

function readFrame(data: unknown): NeutralMessage | undefined {
  try {
    return JSON.parse(String(data)) as NeutralMessage;
  } catch {
    return undefined;
  }
}
