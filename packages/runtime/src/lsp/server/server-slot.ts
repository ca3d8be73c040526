// The server of one language: started by the first question, stopped after some time without questions, and restarted after a crash with
// a growing delay.
import { pathToFileURL } from 'node:url';
import type { ChildPrograms } from '../../process/programs.ts';
import { ConnectionLost } from './connection.ts';
import type { FoundServer } from './find-server.ts';
import { type Hold, launchServer, NotStarted } from './launch-server.ts';
import { type LiveServer, startServer } from './live-server.ts';
import type { TreeWatch } from './watch-files.ts';

export type SlotOrder = {
  root: string;
  hold: Hold;
  memoryBytes: number;
  idleMs: number;
  startMs: number;
  programs(): Promise<ChildPrograms>;
  files: TreeWatch;
  closing: AbortSignal;
};

/** A server that ran this long was healthy, so its crash is not part of a crash loop. */
const healthyMs = 10_000;
const firstPauseMs = 1000;
const longestPauseMs = 5 * 60_000;
/** After this many unanswered questions in a row, the server counts as hung. */
const mostSilent = 3;

export class ServerSlot implements AsyncDisposable {
  readonly files: TreeWatch;
  readonly #order: SlotOrder;
  readonly #ending = new Set<Promise<void>>();
  #live: LiveServer | undefined;
  #starting: Promise<LiveServer> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #failures = 0;
  #retryAt = 0;
  lastReason = '';
  #silent = 0;

  constructor(order: SlotOrder) {
    this.#order = order;
    this.files = order.files;
  }

  get live(): LiveServer | undefined {
    return this.#live;
  }

  /** The running server, or the one being started. A caller that gives up waiting does not stop the start for the others. */
  async server(found: FoundServer, signal: AbortSignal): Promise<LiveServer> {
    this.#keepAwake();
    if (this.#live !== undefined) return this.#live;
    const remainingMs = this.#retryAt - performance.now();
    if (this.#starting === undefined && remainingMs > 0)
      throw new ConnectionLost(`${this.lastReason} It is tried again in ${Math.ceil(remainingMs / 1000)} s.`);
    this.#starting ??= this.#start(found).finally(() => {
      this.#starting = undefined;
    });
    return await unlessAborted(this.#starting, signal);
  }

  /** Records whether the last question was answered. */
  note(answer: 'answered' | 'silent'): void {
    this.#silent = answer === 'silent' ? this.#silent + 1 : 0;
    if (this.#silent >= mostSilent) this.#live?.connection.fail('It no longer answers.');
  }

  async #start(found: FoundServer): Promise<LiveServer> {
    const { root, closing, startMs } = this.#order;
    const rootUri = pathToFileURL(root).href;
    let server: LiveServer | undefined;
    const onEnded = (reason: string): void => {
      if (server !== undefined && this.#live === server) this.#lose(server, reason);
    };
    try {
      const programs = await this.#order.programs();
      const start = (onBytes: Parameters<typeof launchServer>[1]['onBytes']) =>
        launchServer(found, {
          ...this.#order,
          programs,
          onBytes,
          onExcess: (reason) => server?.connection.fail(reason),
        });
      server = await startServer({ found, root, rootUri, startMs, start, onEnded }, closing);
    } catch (error) {
      if (error instanceof NotStarted) throw error;
      throw new ConnectionLost(this.#noteFailure(error instanceof Error ? error.message : String(error)));
    }
    this.#live = server;
    this.#startedAt = performance.now();
    this.#silent = 0;
    if (server.connection.ended !== undefined) this.#lose(server, server.connection.ended);
    return server;
  }

  #lose(server: LiveServer, reason: string): void {
    if (performance.now() - this.#startedAt >= healthyMs) this.#failures = 0;
    this.#noteFailure(reason);
    this.#live = undefined;
    this.#end(server);
  }

  #noteFailure(reason: string): string {
    this.#failures++;
    const pause = this.#failures === 1 ? 0 : firstPauseMs * 2 ** Math.min(this.#failures - 2, 20);
    this.#retryAt = performance.now() + Math.min(longestPauseMs, pause);
    this.lastReason = reason;
    return reason;
  }

  #keepAwake(): void {
    if (this.#idle === undefined) this.#idle = setTimeout(() => this.#stop(), this.#order.idleMs).unref();
    else this.#idle.refresh();
  }

  #stop(): void {
    const live = this.#live;
    this.#live = undefined;
    if (live !== undefined) this.#end(live);
  }

  #end(server: LiveServer): void {
    const ended = server.stop().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    await this.#starting?.catch(() => undefined);
    this.#stop();
    await Promise.all(this.#ending);
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
