// The connection to a server: opened when it is first needed, and again after it was lost. All who ask share it.
import { ToolError } from '@codelab/protocol';
import { type McpConnection, openMcpConnection } from './connection.ts';
import type { TransportOptions } from './open-transport.ts';

export type KeptConnection = AsyncDisposable & {
  /** A call tries a server that failed again at once; a mere listing only after a while. */
  connect(isCalled: boolean): Promise<McpConnection>;
  /** It is connected but of no use. */
  blame(error: unknown): void;
};

const restMs = 30_000;

export function keepConnected(order: TransportOptions): KeptConnection {
  // Also those that were lost: their programs may still be ending.
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
