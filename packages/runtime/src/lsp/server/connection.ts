// A running language server as a conversation: requests with a deadline, notifications, and what the server itself asks for. Nothing that
// a server asks is done but telling it its own settings: it can't open, change or show anything.
import { visible } from '@codelab/protocol';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import type { ChildProgram } from '../../process/programs.ts';
import { BoundedReader, WholeWriter } from './messages.ts';

export type ServerConnection = {
  /** Why it has ended, in a sentence; undefined while it is open. */
  readonly ended: string | undefined;
  request(method: string, params: unknown, wait: { signal: AbortSignal; mostMs: number }): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Ends it for a reason; the program is left to whoever started it. */
  fail(why: string): void;
};

export type ConnectionOrder = {
  /** Starts the program; what it prints goes to `onBytes`. */
  start(onBytes: (stream: 'stdout' | 'stderr', bytes: Buffer) => void): Promise<ChildProgram>;
  settings: Readonly<Record<string, unknown>>;
  onNotification(method: string, params: unknown): void;
  /** It registered for something after the start. */
  onRegistered(methods: readonly string[]): void;
  onEnded(why: string): void;
};

/** The server did not answer in time. */
export class NoAnswer extends Error {}
/** The conversation is over, so that a new server has to be started. */
export class ConnectionLost extends Error {}

const mostPrinted = 2000;
/** How many requests of the server are answered at once. */
const maxParallelism = 16;
/** A server that reads nothing must not make the host keep what was sent to it. */
const mostUnsent = 32 * 1024 * 1024;

export async function openServerConnection(
  order: ConnectionOrder,
): Promise<{ connection: ServerConnection; program: ChildProgram }> {
  const reader = new BoundedReader(order.onNotification);
  let printed = '';
  const program = await order.start((stream, bytes) => {
    if (stream === 'stdout') reader.push(bytes);
    else printed = `${printed}${bytes.toString('utf8')}`.slice(-mostPrinted);
  });
  if (program.stdin === undefined) throw new ConnectionLost('It has no input.');
  const { stdin } = program;
  // A bound makes it pass on a response as soon as it is read, and not in a later turn of the event loop.
  const rpc = createMessageConnection(reader, new WholeWriter(stdin), undefined, { maxParallelism });
  const over = new AbortController();
  let ended: string | undefined;

  function fail(why: string): void {
    if (ended !== undefined) return;
    const last = printed.trim().split('\n').slice(-3).join(' ').slice(-500);
    ended = visible(`${why}${last === '' ? '' : ` It printed: ${last}`}`);
    over.abort(new ConnectionLost(ended));
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
      async request(method, params, { signal, mostMs }) {
        over.signal.throwIfAborted();
        return await ask(rpc, { method, params }, { signal, over: over.signal, mostMs });
      },
      notify(method, params) {
        if (ended !== undefined) return;
        if (stdin.writableLength > mostUnsent) return fail('It does not read what it is sent.');
        const sent =
          params === undefined ? rpc.sendNotification(method) : rpc.sendNotification(method, params);
        void sent.catch(() => undefined);
      },
      fail,
    },
  };
}

type Waiting = { signal: AbortSignal; over: AbortSignal; mostMs: number };

async function ask(
  rpc: MessageConnection,
  { method, params }: { method: string; params: unknown },
  { signal, over, mostMs }: Waiting,
): Promise<unknown> {
  signal.throwIfAborted();
  const cancel = new CancellationTokenSource();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const giveUp = (error: unknown): void => {
    reject(error);
    if (!over.aborted) cancel.cancel();
  };
  const onAbort = (): void => giveUp(signal.reason);
  const onOver = (): void => giveUp(over.reason);
  const timer = setTimeout(
    () => giveUp(new NoAnswer(`It did not answer ${method} within ${mostMs / 1000} s.`)),
    mostMs,
  );
  signal.addEventListener('abort', onAbort, { once: true });
  over.addEventListener('abort', onOver, { once: true });
  try {
    const answered =
      params === undefined
        ? rpc.sendRequest(method, cancel.token)
        : rpc.sendRequest(method, params, cancel.token);
    answered.catch(() => undefined);
    return await Promise.race([answered, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    over.removeEventListener('abort', onOver);
    cancel.dispose();
  }
}

/** What the server asks of us. A request that is not known is refused as the protocol says, without our help. */
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
    failureReason: 'Edits are made by calls that a person can review.',
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
  return list.flatMap((one) => (isObject(one) && typeof one.method === 'string' ? [one.method] : []));
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
