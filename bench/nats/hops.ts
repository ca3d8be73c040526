// For a gateway of the bench: notes when a decision passes the edges of its process, by a clock that all processes of the machine share.
import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** `stored`: the server answered a publish. */
type Hop = 'request in' | 'request out' | 'decision out' | 'start out' | 'stored';

export type Mark = { hop: Hop; at: number };

/** Milliseconds of the monotonic clock. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const marks: Mark[] = [];

const note = (hop: Hop): void => void marks.push({ hop, at: sharedNow() });

/** Those since the last time. */
export function takeMarks(): Mark[] {
  return marks.splice(0);
}

export function watchHops(): void {
  channel('http.server.request.start').subscribe((message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.endsWith('/decisions')) note('request in');
  });
  channel('http.client.request.start').subscribe((message) => {
    const { request } = message as { request: ClientRequest };
    if (request.path.endsWith('/decisions')) note('request out');
  });
  const { write, push } = Socket.prototype;
  Socket.prototype.write = function noted(this: Socket, ...args: Parameters<typeof write>) {
    const [data] = args;
    if (data instanceof Uint8Array) noteMessage(bufferOf(data));
    return write.apply(this, args);
  } as typeof write;
  Socket.prototype.push = function noted(this: Socket, data: unknown, encoding?: BufferEncoding) {
    if (data instanceof Uint8Array && bufferOf(data).includes('{"stream":')) note('stored');
    return push.call(this, data, encoding);
  };
}

/** The client of NATS writes a message as soon as it is published. */
function noteMessage(data: Buffer): void {
  if (data.includes('"approval.decided"')) note('decision out');
  if (data.includes('"call.started"')) note('start out');
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
