// Forwards a request or a socket to the gateway that serves its session. Both gateways authenticate it.
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { ToolError } from '@codelab/protocol';
import { hopHeader } from './auth/hops.ts';

const connectMs = 3000;

export function refuseSecondHop({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers[hopHeader] !== undefined)
    throw moved('The session is moving from one gateway to another. Try again in a moment.');
}

export function unreachableNode(): ToolError {
  return moved(
    'The gateway that serves this session does not answer. Try again in a moment: another one takes the session over.',
  );
}

function moved(message: string): ToolError {
  return new ToolError('STALE', message, { moved: true });
}

/** `gone` aborts when the other gateway counts as gone: a paused gateway would never answer. */
type Target = { url: string; gone: AbortSignal };

/** `hop`: the statement about the sender, made by `Auth.vouch`. */
type Vouched = { hop: string };

type Forwarded = Vouched & {
  request: IncomingMessage;
  body: Buffer | undefined;
  response: ServerResponse;
  /** The other gateway answers: from now on no other one does. */
  onAnswer(): void;
};

/** Rejects while nothing was answered yet. */
export async function forwardRequest(
  { url, gone }: Target,
  { request, body, response, onAnswer, hop }: Forwarded,
): Promise<void> {
  const target = new URL(url);
  const headers = { ...request.headers, ...hopHeaders(target, hop) };
  // The first gateway has already checked the origin of the page.
  delete headers.origin;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { method, url: path } = request;
  const onward = httpRequest({ ...addressOf(target), method, path, headers });
  onward.setTimeout(connectMs, () => {
    if (!onward.socket || onward.socket.connecting) onward.destroy(new Error('no connection'));
  });
  onward.once('response', (answer) => {
    onAnswer();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.once('error', () => response.destroy());
    answer.once('close', resolve);
  });
  const giveUp = (): void => void onward.destroy(new Error('the gateway is gone'));
  gone.addEventListener('abort', giveUp, { once: true });
  onward.once('close', () => gone.removeEventListener('abort', giveUp));
  onward.once('error', (error) => (response.headersSent ? response.destroy() : reject(error)));
  response.once('close', () => onward.destroy());
  onward.end(body);
  await promise;
}

export async function forwardUpgrade(
  { url, gone }: Target,
  { request, line, head, hop }: Vouched & { request: IncomingMessage; line: Duplex; head: Buffer },
): Promise<void> {
  const target = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onward = connect(addressOf(target));
  onward.setTimeout(connectMs, () => onward.destroy(new Error('no connection')));
  onward.once('connect', () => {
    onward.setTimeout(0);
    const headers = { ...request.headers, ...hopHeaders(target, hop) };
    delete headers.origin;
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((item) => `${name}: ${item}`),
    );
    onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(line);
    line.pipe(onward);
    line.once('close', () => onward.destroy());
    onward.once('close', () => line.destroy());
    resolve();
  });
  const giveUp = (): void => void onward.destroy(new Error('the gateway is gone'));
  gone.addEventListener('abort', giveUp, { once: true });
  onward.once('close', () => gone.removeEventListener('abort', giveUp));
  onward.once('error', reject);
  onward.on('error', () => onward.destroy());
  await promise;
}

function addressOf({ hostname, port }: URL): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

function hopHeaders({ host }: URL, hop: string): Record<string, string> {
  return { host, [hopHeader]: hop };
}
