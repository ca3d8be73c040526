// The diagnostics of a server: published and pulled ones, and when they are complete.
import { setTimeout as wait } from 'node:timers/promises';
import { type AnswerDiagnostic, readServerAnswer } from '../answers.ts';
import { sameUri } from '../places.ts';
import { ConnectionLost, isRetriable, NoAnswer, type ServerConnection } from './connection.ts';
import type { OpenDocument } from './documents.ts';

type Complete = { items: readonly AnswerDiagnostic[]; isComplete: boolean };
type Waiting = { signal: AbortSignal; mostMs: number };
/** Asks for all diagnostics of a document in a way that the protocol does not define. */
type AskAll = (connection: ServerConnection, uri: string, wait: Waiting) => Promise<AnswerDiagnostic[]>;
type List = { items: readonly AnswerDiagnostic[]; version: number | undefined; serial: number; at: number };

// Most servers publish once. A server that is still busy with an older text may publish for that text first.
const quietMs = 150;
const busyQuietMs = 1100;
const lookAgainMs = 50;
const mostRetries = 10;
const retryMs = 100;
const mostKept = 1000;
const mostTokens = 100;

export class Diagnostics {
  readonly #lists = new Map<string, List>();
  /** Progress tokens of the server's running work. */
  readonly #working = new Set<unknown>();
  #connection: ServerConnection | undefined;
  #serial = 0;
  #canPull = false;
  #askAll: AskAll | undefined;
  #changed = Promise.withResolvers<void>();

  /** How many lists were published so far. */
  get published(): number {
    return this.#serial;
  }

  attach(connection: ServerConnection): void {
    this.#connection = connection;
  }

  /** The server supports pull diagnostics; with `askAll`, its published lists are not needed. */
  usePull(askAll?: AskAll): void {
    this.#canPull = true;
    this.#askAll = askAll;
    this.#wake();
  }

  onNotification(method: string, params: unknown): void {
    try {
      if (method === 'textDocument/publishDiagnostics') this.#publish(params);
      else if (method === '$/progress') this.#noteProgress(params);
      else return;
    } catch {
      // A list that cannot be parsed is ignored.
      return;
    }
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  async of(document: OpenDocument, wait: Waiting): Promise<Complete> {
    if (this.#canPull) return await this.#pulled(document, wait);
    if (document.settled === document.version)
      return { items: this.#lists.get(document.uri)?.items ?? [], isComplete: true };
    const { version } = document;
    const found = await this.#awaitPublished(document, wait);
    if (found === undefined) return await this.#pulled(document, wait);
    // A server that has published nothing in all that time has nothing to say about this version.
    if (document.version === version) document.settled = version;
    return found;
  }

  #publish(params: unknown): void {
    const { uri, version, diagnostics } = readServerAnswer('published', params);
    const key = sameUri(uri);
    this.#lists.delete(key);
    this.#lists.set(key, {
      items: diagnostics,
      version: version ?? undefined,
      serial: ++this.#serial,
      at: performance.now(),
    });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > mostKept && oldest !== undefined) this.#lists.delete(oldest);
  }

  #noteProgress(params: unknown): void {
    const { token, value } = (params ?? {}) as { token?: unknown; value?: { kind?: unknown } };
    if (value?.kind === 'begin' && this.#working.size < mostTokens) this.#working.add(token);
    if (value?.kind === 'end') this.#working.delete(token);
  }

  /** The list of the current version, once no other is expected; undefined before. */
  #settled(document: OpenDocument): List | undefined {
    const list = this.#lists.get(document.uri);
    if (list === undefined || this.#working.size > 0) return undefined;
    const { version } = list;
    const isNew = version === undefined ? list.serial > document.sentAfter : version >= document.version;
    const quiet = document.wasSettled || version !== undefined ? quietMs : busyQuietMs;
    return isNew && performance.now() - list.at >= quiet ? list : undefined;
  }

  /** Undefined when the server announces pull support meanwhile. */
  async #awaitPublished(document: OpenDocument, { signal, mostMs }: Waiting): Promise<Complete | undefined> {
    const deadline = performance.now() + mostMs;
    for (let remainingMs = mostMs; remainingMs > 0; remainingMs = deadline - performance.now()) {
      signal.throwIfAborted();
      if (this.#canPull) return undefined;
      const list = this.#settled(document);
      if (list !== undefined) return { items: list.items, isComplete: true };
      if (this.#connection?.ended !== undefined) throw new ConnectionLost(this.#connection.ended);
      await Promise.race([
        this.#changed.promise,
        wait(Math.min(remainingMs, lookAgainMs), undefined, { ref: false }),
      ]);
    }
    return { items: this.#lists.get(document.uri)?.items ?? [], isComplete: false };
  }

  /** Some servers publish a part of their diagnostics and must be asked for the rest. */
  async #pulled(document: OpenDocument, wait: Waiting): Promise<Complete> {
    const connection = this.#connection;
    try {
      if (this.#askAll !== undefined && connection !== undefined)
        return { items: await this.#askAll(connection, document.uri, wait), isComplete: true };
      const pulled = await this.#pull(document.uri, wait);
      const keys = new Set(pulled.map(keyOf));
      const published = (this.#lists.get(document.uri)?.items ?? []).filter((item) => !keys.has(keyOf(item)));
      return { items: [...pulled, ...published], isComplete: true };
    } catch (error) {
      wait.signal.throwIfAborted();
      if (error instanceof NoAnswer) return { items: [], isComplete: false };
      throw error;
    }
  }

  async #pull(uri: string, { signal, mostMs }: Waiting): Promise<AnswerDiagnostic[]> {
    const deadline = performance.now() + mostMs;
    for (let tried = 1; ; tried++) {
      const remainingMs = Math.max(1, Math.round(deadline - performance.now()));
      const params = { textDocument: { uri } };
      try {
        const answer = await this.#connection?.request('textDocument/diagnostic', params, {
          signal,
          mostMs: remainingMs,
        });
        return readServerAnswer('pulled', answer).items ?? [];
      } catch (error) {
        if (!isRetriable(error) || tried >= mostRetries) throw error;
        await wait(retryMs, undefined, { ref: false });
      }
    }
  }
}

function keyOf({ range: { start, end }, message, code }: AnswerDiagnostic): string {
  return JSON.stringify([start.line, start.character, end.line, end.character, message, code]);
}
