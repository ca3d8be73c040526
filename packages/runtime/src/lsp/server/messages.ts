// The framing of messages with a language server. The length in a header is checked before anything is buffered, so a server cannot make
// the host hold more than one message of the largest size.
import type { Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  Message,
  type MessageWriter,
  type ResponseMessage,
} from 'vscode-jsonrpc/node';

const mostHeader = 4096;
const mostUsual = 32;
/** Parsing this much takes tens of milliseconds, during which no other call proceeds. */
export const mostMessage = 8 * 1024 * 1024;

export type OnNotification = (method: string, params: unknown) => void;
export type ServerResponse = Pick<ResponseMessage, 'id' | 'result' | 'error'>;
/** False leaves the response to the listener. */
export type OnResponse = (response: ServerResponse) => boolean;

/** Notifications and responses are delivered as they are read, in their order; the rest goes to the listener. */
export class BoundedReader extends AbstractMessageReader {
  readonly #onNotification: OnNotification;
  readonly #onResponse: OnResponse;
  #callback: DataCallback | undefined;
  #chunks: Buffer[] = [];
  buffered = 0;
  /** How many bytes must have arrived before parsing is tried again. */
  #needed = 0;
  #hasFailed = false;

  constructor(onNotification: OnNotification, onResponse: OnResponse = () => false) {
    super();
    this.#onNotification = onNotification;
    this.#onResponse = onResponse;
  }

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    return { dispose: () => (this.#callback = undefined) };
  }

  /** Copies what it keeps of `bytes`. */
  push(bytes: Buffer): void {
    if (this.#hasFailed) return;
    this.buffered += bytes.length;
    if (this.buffered < this.#needed) {
      this.#chunks.push(Buffer.from(bytes));
      return;
    }
    try {
      this.#readAll(this.#chunks.length === 0 ? bytes : Buffer.concat([...this.#chunks, bytes]));
    } catch (error) {
      this.#hasFailed = true;
      this.#chunks = [];
      this.fireError(error);
    }
  }

  end(): void {
    this.fireClose();
  }

  #readAll(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      const header = headerOf(rest);
      this.#needed = header === undefined ? rest.length + 1 : header.end + header.length;
      if (header === undefined || rest.length < this.#needed) break;
      const body = rest.subarray(header.end, this.#needed);
      rest = rest.subarray(this.#needed);
      const message = messageOf(body);
      if (Message.isNotification(message)) this.#onNotification(message.method, message.params);
      else if (!Message.isResponse(message) || !this.#onResponse(message)) this.#callback?.(message);
    }
    if (rest.length === 0) this.#needed = 0;
    this.#chunks = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.buffered = rest.length;
  }
}

function headerOf(bytes: Buffer): { end: number; length: number } | undefined {
  // The usual header is only a length; any other is checked line by line.
  const usual = /^Content-Length: (\d{1,6})\r\n\r\n/.exec(bytes.toString('latin1', 0, mostUsual));
  if (usual !== null) return { end: usual[0].length, length: Number(usual[1]) };
  const end = bytes.subarray(0, mostHeader).indexOf('\r\n\r\n');
  const header = bytes.toString('latin1', 0, end === -1 ? Math.min(bytes.length, 16) : end);
  const isHeader =
    end === -1
      ? bytes.length < mostHeader && 'Content-'.startsWith(header.slice(0, 8))
      : header.split('\r\n').every((line) => /^Content-(?:Length|Type): *\S/i.test(line));
  if (!isHeader) {
    const printed = JSON.stringify(bytes.toString('utf8', 0, 80));
    throw new Error(`It prints something that is no message: ${printed}.`);
  }
  if (end === -1) return undefined;
  const [, digits] = /^Content-Length: *(\d{1,15})$/im.exec(header) ?? [];
  if (digits === undefined)
    throw new Error(`Its message has no length: ${JSON.stringify(header.slice(0, 80))}.`);
  const length = Number(digits);
  if (length > mostMessage)
    throw new Error(`It sends a message of ${length} bytes; more than ${mostMessage} are not taken.`);
  return { end: end + 4, length };
}

function messageOf(body: Buffer): Message {
  const message: unknown = JSON.parse(body.toString('utf8'));
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw new Error('It sends a message that is no object.');
  return message as Message;
}

/** Header and body go out in one write: a server woken by the header alone would have to wait a second time. */
export class WholeWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on('error', (error: Error) => this.fireError(error)).on('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(framed(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The write is not awaited: the stream reports a failure. */
  send(message: object): void {
    if (this.#stream.writable) this.#stream.write(framed(message));
  }

  end(): void {
    this.#stream.end();
  }
}

function framed(message: object): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
