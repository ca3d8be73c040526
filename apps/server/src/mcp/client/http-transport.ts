// The transport to a server at an address: what the server sends is bounded, and a call whose answer breaks off fails at once.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { messageLimits, watchBody } from './message-limits.ts';

const leaveMs = 1000;
// A received answer may still be in the parser.
const settleMs = 1000;

export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  /** Why the connection ended; undefined when we ended it. */
  reason: string | undefined;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #waiting = new Set<unknown>();

  constructor(url: URL, headers: Record<string, string>) {
    this.#inner = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch: (address, init) => this.#fetch(address, init),
    });
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      if ('id' in message) this.#waiting.delete(message.id);
      this.onmessage?.(message);
    };
    await this.#inner.start();
  }

  async send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    if (isRequest(message)) this.#waiting.add(message.id);
    const givenUp = cancelledIn(message);
    if (givenUp !== undefined) this.#waiting.delete(givenUp);
    await this.#inner.send(message, options);
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** Ends the session at the server, where the server supports that. */
  async close(): Promise<void> {
    const ending = this.sessionId === undefined ? undefined : this.#inner.terminateSession();
    await Promise.race([ending?.catch(() => undefined), wait(leaveMs, undefined, { ref: false })]);
    await this.#inner.close();
  }

  async #fetch(address: string | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(address, init);
    const isRedirect = response.status >= 300 && response.status < 400;
    if (isRedirect) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const maxBytes = isStream ? messageLimits.streamBytes : messageLimits.messageBytes;
    const id = isStream && init?.method === 'POST' ? idIn(init.body) : undefined;
    return watchBody(response, maxBytes, () => id !== undefined && void this.#giveUp(id));
  }

  // Fails a request whose answer broke off; without this, the caller would wait forever.
  async #giveUp(id: unknown): Promise<void> {
    if (this.#waiting.has(id)) await wait(settleMs, undefined, { ref: false });
    if (!this.#waiting.has(id)) return;
    this.reason = 'It broke off its answer.';
    await this.close();
  }
}

function isRequest(message: JSONRPCMessage | JSONRPCMessage[]): message is JSONRPCMessage & { id: unknown } {
  return !Array.isArray(message) && 'id' in message && 'method' in message;
}

function cancelledIn(message: JSONRPCMessage | JSONRPCMessage[]): unknown {
  const isCancel = 'method' in message && message.method === 'notifications/cancelled';
  return isCancel ? message.params?.requestId : undefined;
}

function idIn(body: unknown): unknown {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  return typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
}
