// Live messages of a session: one connection to the gateway that is reopened when it breaks, without loss or duplicates.
import { longestTimerMs } from '@codelab/protocol';
import type { ApiError } from './api-error.ts';
import { backoffMs, wait } from './backoff.ts';
import {
  type ConnectionEnd,
  closedEarly,
  connectionLost,
  defect,
  gaveUpAfter,
  type ReceivedFrame,
} from './stream/connection.ts';
import { callSafely, createMessageFeed, type MessageFeed } from './stream/feed.ts';
import type { AnyFrame, Frames, StreamFrame, StreamWire } from './stream/frames.ts';
import {
  type FrameCheck,
  lastSequence,
  openStream,
  refusedAfter,
  type Target,
} from './stream/open-stream.ts';
import { createPosition, type StreamPosition } from './stream/position.ts';
import { neutralProblem } from './stream/read-frame.ts';
import { type StreamOptions, type StreamState, transports } from './stream/stream-options.ts';
import { createStreamToken, type StreamToken } from './stream/stream-token.ts';

type Handler = (frame: never) => void;

export class SessionStream<W extends StreamWire> implements AsyncIterable<AnyFrame<W>>, Disposable {
  #state: StreamState = { name: 'idle' };
  #send: ((text: string) => void) | undefined;
  #opened: Promise<void> | undefined;
  #line = new AbortController();
  #hurry = new AbortController();
  readonly #options: StreamOptions<W>;
  readonly #target: Target;
  readonly #token: StreamToken;
  readonly #position: StreamPosition;
  readonly #closing = new AbortController();
  readonly #ending: AbortSignal;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #watchers = new Set<(state: StreamState) => void>();
  readonly #feeds = new Set<MessageFeed<AnyFrame<W>>>();

  /** Without a check every message is delivered: for pages, which read their own gateway and load no schemas. */
  constructor(options: StreamOptions<W>, check?: FrameCheck) {
    const { wire, url = ownOrigin(), fetch: send = (at, init) => fetch(at, init), beatMs = 30_000 } = options;
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw new TypeError('`url` must be the address of a gateway, as in http://127.0.0.1:4040.');
    const transport = options.transport ?? (wire === 'plugin' ? 'sse' : 'websocket');
    if (!transports[wire].includes(transport))
      throw new TypeError(`The wire ${wire} is not heard over ${transport}.`);
    this.#options = options;
    this.#target = { ...options, url, transport, fetch: send, beatMs, token: undefined, check };
    this.#token = createStreamToken(options.token);
    this.#position = createPosition(options.since);
    this.#ending = AbortSignal.any([this.#closing.signal, ...(options.signal ? [options.signal] : [])]);
  }

  /** The session's real id, once the gateway has sent it. */
  get session(): string {
    return this.#target.session;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** The last delivered entry of the log. */
  get since(): number | undefined {
    return this.#position.since;
  }

  /** Resolves once the connection is open, rejects with an ApiError when the gateway refuses for good. */
  connect(): Promise<void> {
    this.#opened ??= new Promise((resolve, reject) => {
      const stop = this.onState((state) => {
        if (state.name === 'open') resolve();
        else if (state.name === 'closed') reject(state.error ?? closedEarly(state.why));
        else return;
        stop();
      });
      this.#run().catch((error: unknown) => this.#end('A defect ended the line.', defect(error)));
    });
    return this.#opened;
  }

  /** Returns a function that removes the handler. */
  on<T extends keyof Frames[W] & string>(type: T, handler: (frame: Frames[W][T]) => void): () => void {
    const handlers = this.#handlers.get(type) ?? new Set();
    this.#handlers.set(type, handlers);
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }

  onState(watcher: (state: StreamState) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** All further messages until the client is closed; throws when the gateway refuses for good. */
  [Symbol.asyncIterator](): AsyncIterableIterator<AnyFrame<W>> {
    const leave = (): void => {
      this.#feeds.delete(feed);
      this.#hurry.abort();
    };
    const limit = this.#options.bufferedFrames ?? 10_000;
    const feed = createMessageFeed<AnyFrame<W>>({ limit, onRoom: () => this.#hurry.abort(), onLeave: leave });
    const state = this.#state;
    if (state.name === 'closed') feed.end(state.error);
    else {
      this.#feeds.add(feed);
      this.connect().catch(() => undefined);
    }
    return feed;
  }

  /** False when no connection is open, or it accepts no messages; an unsent message is not kept. */
  send(message: object): boolean {
    if (this.#send === undefined) return false;
    try {
      this.#send(JSON.stringify(message));
      return true;
    } catch {
      return false;
    }
  }

  /** Ends the wait before the next try. */
  retryNow(): void {
    this.#hurry.abort();
  }

  close(): void {
    this.#closing.abort();
    if (this.#opened === undefined) this.#end('closed here', undefined);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #run(): Promise<void> {
    const { backoff = { firstMs: 1000, mostMs: 30_000 }, maxAttempts = Number.POSITIVE_INFINITY } =
      this.#options;
    let failures = 0;
    for (;;) {
      if (this.#ending.aborted) return this.#end('closed here', undefined);
      this.#become({ name: 'connecting' });
      const { ending, heldMs } = await this.#hold(failures);
      if (this.#ending.aborted) return this.#end('closed here', undefined);
      if (ending.kind === 'over') return this.#end(ending.why, undefined);
      if (ending.kind === 'refused') return this.#end(ending.error.message, ending.error);
      const retryMs = ending.afterMs ?? backoffMs(backoff, failures);
      // A connection that lasted is no failure; one that broke immediately is.
      failures = heldMs > retryMs ? 0 : failures + 1;
      if (failures > maxAttempts) return this.#end(ending.why, gaveUpAfter(ending.why, failures));
      this.#become({ name: 'waiting', why: ending.why, retryMs });
      await this.#pause(retryMs);
    }
  }

  async #hold(failures: number): Promise<{ ending: ConnectionEnd; heldMs: number }> {
    try {
      this.#target.token = await this.#token.next(this.#ending);
    } catch {
      return { ending: connectionLost('No token is available.'), heldMs: 0 };
    }
    if (this.#position.since === undefined && this.#target.wire !== 'neutral') {
      const head = await lastSequence(this.#target, this.#ending);
      if (head !== undefined) this.#position.begin(head);
    }
    this.#line = new AbortController();
    let openedAt: number | undefined;
    const ending = await openStream(this.#target, {
      since: this.#position.since,
      signal: AbortSignal.any([this.#ending, this.#line.signal]),
      onOpen: (send) => {
        openedAt = Date.now();
        this.#send = send;
        this.#become({ name: 'open' });
      },
      onFrame: (received) => this.dispatch(received),
      onUnreadable: (error) => this.#options.onUnreadable?.(error),
    });
    this.#send = undefined;
    const heldMs = openedAt === undefined ? 0 : Date.now() - openedAt;
    this.#position.broke(heldMs);
    return { ending: this.#token.after(refusedAfter(ending, failures), openedAt !== undefined), heldMs };
  }

  dispatch(received: ReceivedFrame): void {
    // Messages behind the one that filled a buffer are delivered again after the break.
    if (this.#line.signal.aborted) return;
    const { frame } = received;
    if (frame.type === 'session_info') this.#introduce(frame);
    if (!this.#position.takes(received)) return;
    for (const handler of [...(this.#handlers.get(frame.type) ?? [])])
      callSafely(handler as (frame: StreamFrame) => void, frame);
    for (const feed of this.#feeds) feed.push(frame as AnyFrame<W>);
    if (this.#isFull()) this.#line.abort();
  }

  #introduce({ session_id, last_seq }: StreamFrame): void {
    if (typeof session_id === 'string') this.#target.session = session_id;
    if (typeof last_seq === 'number') this.#position.begin(last_seq);
  }

  #isFull(): boolean {
    return [...this.#feeds].some((feed) => feed.isFull);
  }

  /** Waits until it is time to try again, and every reader has room. */
  async #pause(ms: number): Promise<void> {
    do {
      this.#hurry = new AbortController();
      const ending = AbortSignal.any([this.#ending, this.#hurry.signal]);
      await wait(this.#isFull() ? longestTimerMs : ms, ending);
    } while (this.#isFull() && !this.#ending.aborted);
  }

  #become(state: StreamState): void {
    this.#state = state;
    for (const watcher of [...this.#watchers]) callSafely(watcher, state);
  }

  #end(why: string, error: ApiError | undefined): void {
    this.#become({ name: 'closed', why, error });
    for (const feed of this.#feeds) feed.end(error);
    this.#feeds.clear();
    this.#handlers.clear();
    this.#watchers.clear();
  }
}

/** A page of the gateway itself need not give the address. */
function ownOrigin(): string {
  return (globalThis as { location?: { origin: string } }).location?.origin ?? '';
}

/** Compares messages of our own wire with their schemas on arrival. */
export class StreamingClient<W extends StreamWire> extends SessionStream<W> {
  constructor(options: StreamOptions<W>) {
    super(options, options.wire === 'neutral' ? neutralProblem : undefined);
  }
}
