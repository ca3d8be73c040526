// The connection to a running language server: requests with a deadline, notifications, and requests of the server. The only request of a
// server that is granted is for its own settings: a server cannot open, change or show anything.
import { visible } from '@codelab/protocol';
import { createMessageConnection, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { clearDeadline, setDeadline } from '../../platform/deadlines.ts';
import type { ChildProgram } from '../../process/programs.ts';
import { BoundedReader, type ServerResponse, WholeWriter } from './messages.ts';

export type ServerConnection = {
  /** Why the connection has ended, as a sentence; undefined while it is open. */
  readonly ended: string | undefined;
  request(method: string, params: unknown, wait: { signal: AbortSignal; mostMs: number }): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Ends the connection for a reason; whoever started the program ends the program. */
  fail(reason: string): void;
};

export type ConnectionOrder = {
  /** Starts the program; its output goes to `onBytes`. */
  start(onBytes: (stream: 'stdout' | 'stderr', bytes: Buffer) => void): Promise<ChildProgram>;
  settings: Readonly<Record<string, unknown>>;
  onNotification(method: string, params: unknown): void;
  /** Called when the server registers for methods after its start. */
  onRegistered(methods: readonly string[]): void;
  onEnded(reason: string): void;
};

/** The server did not answer in time. */
export class NoAnswer extends Error {}
/** The connection has ended, so a new server must be started. */
export class ConnectionLost extends Error {}

const mostPrinted = 2000;
/** How many requests of the server are answered at once. */
const maxParallelism = 16;
/** A server that reads nothing must not make the host buffer everything that is sent to it. */
const mostUnsent = 32 * 1024 * 1024;

export async function openServerConnection(
  order: ConnectionOrder,
): Promise<{ connection: ServerConnection; program: ChildProgram }> {
  const requests = createRequests((message) => writer?.send(message));
  const reader = new BoundedReader(order.onNotification, requests.settle);
  let writer: WholeWriter | undefined;
  let printed = '';
  const program = await order.start((stream, bytes) => {
    if (stream === 'stdout') reader.push(bytes);
    else printed = `${printed}${bytes.toString('utf8')}`.slice(-mostPrinted);
  });
  if (program.stdin === undefined) throw new ConnectionLost('It has no input.');
  const { stdin } = program;
  writer = new WholeWriter(stdin);
  const rpc = createMessageConnection(reader, writer, undefined, { maxParallelism });
  let ended: string | undefined;

  function fail(reason: string): void {
    if (ended !== undefined) return;
    const last = printed.trim().split('\n').slice(-3).join(' ').slice(-500);
    ended = visible(`${reason}${last === '' ? '' : ` It printed: ${last}`}`);
    requests.fail(new ConnectionLost(ended));
    rpc.dispose();
    order.onEnded(ended);
  }

  rpc.onError(([error]) => fail(error.message));
  rpc.onClose(() => fail('It closed the conversation.'));
  void program.exited.then(({ code, signal }) => fail(`It ended (${signal ?? `exit code ${code}`}).`));
  answer(rpc, order);
  rpc.listen();
  return {
    program,
    connection: {
      get ended() {
        return ended;
      },
      request(method, params, wait) {
        if (ended !== undefined) return Promise.reject(new ConnectionLost(ended));
        return requests.send(method, params, wait);
      },
      notify(method, params) {
        if (ended !== undefined) return;
        if (stdin.writableLength > mostUnsent) return fail('It does not read its input.');
        const sending =
          params === undefined ? rpc.sendNotification(method) : rpc.sendNotification(method, params);
        void sending.catch(() => undefined);
      },
      fail,
    },
  };
}

type Requests = {
  send: ServerConnection['request'];
  /** False for a response to nothing that was asked. */
  settle(response: ServerResponse): boolean;
  /** Ends all that are not answered. */
  fail(error: Error): void;
};

type Pending = { resolve(result: unknown): void; reject(error: unknown): void };

/** Our requests that wait for their responses. The library would take a dozen promises and listeners for each. */
function createRequests(write: (message: object) => void): Requests {
  const pending = new Map<number, Pending>();
  let ids = 0;
  return {
    send: (method, params, { signal, mostMs }) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const id = ++ids;
        const end = (): void => {
          pending.delete(id);
          clearDeadline(deadline);
          signal.removeEventListener('abort', onAbort);
        };
        const giveUp = (error: unknown): void => {
          end();
          reject(error);
          write({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
        };
        const onAbort = (): void => giveUp(signal.reason);
        const deadline = setDeadline(mostMs, () =>
          giveUp(new NoAnswer(`It did not answer ${method} within ${mostMs / 1000} s.`)),
        );
        signal.addEventListener('abort', onAbort, { once: true });
        pending.set(id, {
          resolve(result) {
            end();
            resolve(result);
          },
          reject(error) {
            end();
            reject(error);
          },
        });
        write({ jsonrpc: '2.0', id, method, params });
      }),
    settle({ id, result, error }) {
      const request = typeof id === 'number' ? pending.get(id) : undefined;
      if (request === undefined) return false;
      if (error) request.reject(new ResponseError(error.code, error.message, error.data));
      else request.resolve(result);
      return true;
    },
    fail(error) {
      for (const request of [...pending.values()]) request.reject(error);
    },
  };
}

/** Handles requests of the server. The library refuses an unknown request as the protocol demands. */
function answer(rpc: MessageConnection, order: ConnectionOrder): void {
  rpc.onRequest('workspace/configuration', (params: unknown) => configuration(params, order.settings));
  rpc.onRequest('client/registerCapability', (params: unknown) => {
    order.onRegistered(registered(params));
    return null;
  });
  rpc.onRequest('client/unregisterCapability', () => null);
  rpc.onRequest('window/workDoneProgress/create', () => null);
  rpc.onRequest('window/showMessageRequest', () => null);
  rpc.onRequest('window/showDocument', () => ({ success: false }));
  rpc.onRequest('workspace/applyEdit', () => ({
    applied: false,
    failureReason: 'Edits must be calls that a person can review.',
  }));
  for (const method of ['workspace/diagnostic/refresh', 'workspace/semanticTokens/refresh'])
    rpc.onRequest(method, () => null);
}

function configuration(params: unknown, settings: Readonly<Record<string, unknown>>): unknown[] {
  const items = isObject(params) && Array.isArray(params.items) ? params.items : [];
  return items.slice(0, 100).map((item) => {
    const section = isObject(item) && typeof item.section === 'string' ? item.section : undefined;
    if (section === undefined) return settings;
    const found = section
      .split('.')
      .reduce<unknown>(
        (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
        settings,
      );
    return found ?? null;
  });
}

function registered(params: unknown): string[] {
  const list = isObject(params) && Array.isArray(params.registrations) ? params.registrations : [];
  return list.flatMap((registration) =>
    isObject(registration) && typeof registration.method === 'string' ? [registration.method] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The server answered with an error of its own, and may be asked again at once. */
export function isRetriable(error: unknown): boolean {
  return error instanceof ResponseError && (error.code === -32801 || error.code === -32802);
}

export function isRefusal(error: unknown): error is Error {
  return error instanceof ResponseError;
}
