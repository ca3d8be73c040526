// The connection to a server: opened on first use, and again after it was lost. All callers share it.
import { ToolError } from '@codelab/protocol';
import { type McpConnection, openMcpConnection } from './connection.ts';
import type { TransportOptions } from './open-transport.ts';

export type KeptConnection = AsyncDisposable & {
  /** A call retries a failed server at once; a listing only after a while. */
  connect(isCalled: boolean): Promise<McpConnection>;
  /** The server is connected but unusable. */
  blame(error: unknown): void;
};

const restMs = 30_000;

export function keepConnected(order: TransportOptions): KeptConnection {
  // The set includes lost connections: their programs may still be ending.
  const opened = new Set<McpConnection>();
  let opening: Promise<McpConnection> | undefined;
  let failure: { error: unknown; at: number } | undefined;
  const leaving = new AbortController();
  const blame = (error: unknown): void => {
    failure = { error, at: Date.now() };
  };

  async function connect(isCalled: boolean): Promise<McpConnection> {
    for (let tried = opening; tried !== undefined; tried = opening) {
      const connection = await tried;
      if (connection.isOpen) return connection;
      if (opening === tried) opening = undefined;
      void connection.close().then(() => opened.delete(connection));
    }
    if (leaving.signal.aborted) throw new ToolError('CANCELLED', 'CodeLab is closing.');
    if (!isCalled && failure !== undefined && Date.now() - failure.at < restMs) throw failure.error;
    return await open();
  }

  function open(): Promise<McpConnection> {
    const fresh = openMcpConnection(order, leaving.signal);
    opening = fresh;
    fresh.then(
      (connection) => opened.add(connection),
      (error: unknown) => {
        blame(error);
        if (opening === fresh) opening = undefined;
      },
    );
    return fresh;
  }

  return {
    connect,
    blame,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await opening?.catch(() => undefined);
      await Promise.all([...opened].map((connection) => connection.close()));
    },
  };
}
