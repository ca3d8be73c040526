// MCP on standard input and output, with its own host: one client, one session, until the input ends. Then running calls are cancelled, and
// no process of the client is left.
import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ComposeOptions, compose } from './compose.ts';
import type { Caller, Serving } from './mcp/server/caller.ts';
import { createOwnId, findCallerSession, openCallerSession } from './mcp/server/caller-session.ts';
import { createDeferredCalls } from './mcp/server/calls/live-calls.ts';
import { createServer } from './mcp/server/create-server.ts';
import { createWire } from './mcp/server/create-wire.ts';
import { sendTo } from './mcp/server/resources/serve-subscriptions.ts';
import { watchListen } from './mcp/server/resources/subscription-bus.ts';
import { followListening, refuseUsedIds, utf8Only } from './mcp/server/stdio-line.ts';
import type { Gateway, Peer } from './sessions/gateway.ts';
import { openGateway } from './sessions/open-gateway.ts';

export type StdioOptions = {
  compose: ComposeOptions;
  /** The client's user, as the record names them. */
  who: string;
  version: string;
  profile?: string;
  /** Ends the server, like the end of the input. */
  signal: AbortSignal;
  onFault(error: unknown): void;
};

const closingMs = 800;

export async function serveMcpStdio(options: StdioOptions): Promise<void> {
  const { who, version, profile, signal, onFault } = options;
  const env = { ...(options.compose.env ?? process.env) };
  const stack = new AsyncDisposableStack();
  const { host, agents, worktreeParts } = stack.use(await compose(options.compose));
  const gateway = stack.use(openGateway({ host, agents, env, onFault, worktreeParts }));
  const peer: Peer = { subject: who, via: 'mcp', isOperator: true };
  const ids = createOwnId();
  const caller = stdioCaller(gateway, { peer, profile, ids });
  const input = utf8Only(process.stdin);
  // Listens before the SDK, which ends all requests at the end of the input: here they are all cancelled together.
  const ended = lineEnds(input, signal);
  const wire = createWire({ gateway, version, onFault, isClosing: () => ended.isOver });
  const transport = new StdioServerTransport(input, process.stdout);
  const deferredCalls = createDeferredCalls();
  const serving = (era: Serving['era']): Serving => ({ wire, caller, era, deferredCalls });
  let latest: Server | undefined;
  const served = serveStdio(
    ({ era }) => {
      latest = createServer(serving(era));
      return latest;
    },
    { transport, onerror: onFault },
  );
  refuseUsedIds(transport);
  followListening(transport, (body) =>
    watchListen(serving('modern'), body, (event) => latest && sendTo(latest)(event)),
  );
  // The SDK may also close, for example on a message that is too long.
  const { onclose } = transport;
  transport.onclose = () => {
    ended.end();
    onclose?.();
  };
  await ended.finished;
  async function close(): Promise<void> {
    await (await gateway.opened(ids.id()))?.cancel(peer);
    await served.close();
    await stack.disposeAsync();
  }
  // The process ends after this, and kills the rest of its children.
  await Promise.race([close().catch(onFault), wait(closingMs)]);
}

type CallerOptions = { peer: Peer; profile: string | undefined; ids: ReturnType<typeof createOwnId> };

function stdioCaller(gateway: Gateway, { peer, profile, ids }: CallerOptions): Caller {
  return {
    peer,
    profile,
    openSession: (client) => openCallerSession(gateway, { peer, client, ids }),
    findSession: () => findCallerSession(gateway, { peer, ids }),
    tellWay: async (_session, approval) =>
      `${approval.tool} waits for a human. Decide with \`codelab approvals approve ${approval.id}\` (or reject) in a terminal, ` +
      'or on the page of `codelab serve` over this workspace.',
    placeToDecide: () =>
      'with `codelab approvals watch` in a terminal, or on the page of `codelab serve` over this workspace',
  };
}

type Ended = { isOver: boolean; finished: Promise<void>; end(): void };

function lineEnds(input: NodeJS.ReadableStream, signal: AbortSignal): Ended {
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const ended: Ended = {
    isOver: false,
    finished,
    end() {
      ended.isOver = true;
      resolve();
    },
  };
  for (const name of ['end', 'close', 'error']) input.once(name, ended.end);
  process.stdout.once('error', ended.end);
  if (signal.aborted) ended.end();
  else signal.addEventListener('abort', ended.end, { once: true });
  return ended;
}
