// A conversation with one MCP server, both sides greeted. We declare no abilities, so a server can't ask us for anything: no
// model, no files, no questions to the human.
import { Client, ProtocolError } from '@modelcontextprotocol/client';
import type { ZodMiniType } from 'zod/mini';
import manifest from '../../../package.json' with { type: 'json' };
import { explainFailure } from './explain-failure.ts';
import { type LineOrder, openLine } from './open-line.ts';

export type Connection = {
  readonly isOpen: boolean;
  readonly hasTools: boolean;
  /** How often it said that its tools have changed. */
  readonly changes: number;
  ask<T>(question: Question<T>): Promise<T>;
  close(): Promise<void>;
};

type Question<T> = {
  method: 'tools/list' | 'tools/call';
  params: Record<string, unknown>;
  answer: ZodMiniType<T>;
  /** Ends the waiting; without one, patience does. */
  signal?: AbortSignal;
  onProgress?: (said: Progressing) => void;
};

/** How far a server says it is. */
export type Progressing = { progress: number; total?: number | undefined; message?: string | undefined };

const patienceMs = 30_000;
// The caller's own signal ends a call; this is only the longest a timer can be set to.
const longestMs = 2 ** 31 - 1;

/** `signal` gives up while it is being opened. */
export async function openConnection(order: LineOrder, signal: AbortSignal): Promise<Connection> {
  const { name } = order;
  const line = openLine(order);
  const client = new Client({ name: 'codelab', version: manifest.version });
  let closing: Promise<void> | undefined;
  let isOpen = true;
  let changes = 0;
  client.onclose = () => {
    isOpen = false;
  };
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes++;
  });
  const close = (): Promise<void> => {
    isOpen = false;
    closing ??= line.transport.close();
    return closing;
  };

  try {
    await client.connect(line.transport, { timeout: patienceMs, signal });
  } catch (error) {
    await close();
    throw explainFailure({ error, name, line, during: 'opening' });
  }
  return {
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    get isOpen() {
      return isOpen;
    },
    get changes() {
      return changes;
    },
    async ask({ method, params, answer, signal, onProgress }) {
      const timeout = signal === undefined ? patienceMs : longestMs;
      const options = { timeout, ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
      return await client.request({ method, params }, answer, options).catch(async (error: unknown) => {
        signal?.throwIfAborted();
        // Who answers nonsense or can't be reached may have forgotten us: the next call begins anew.
        if (!(error instanceof ProtocolError)) await close();
        throw explainFailure({ error, name, line, during: method });
      });
    },
    close,
  };
}
