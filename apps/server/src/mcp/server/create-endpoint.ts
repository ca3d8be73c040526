// `/mcp` as a function from a web request to a web response. Clients of 2025 initialize and hold a session; requests of 2026-07-28 stand
// alone and share one CodeLab session for each person and client, or name one themselves.
import { ToolError } from '@codelab/protocol';
import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { Gateway } from '../../sessions/gateway.ts';
import type { Caller, McpWire, Serving } from './caller.ts';
import {
  createOwnId,
  createSharedIds,
  findCallerSession,
  givenId,
  openCallerSession,
  type SessionIds,
} from './caller-session.ts';
import { createDeferredCalls } from './calls/live-calls.ts';
import { createServer } from './create-server.ts';
import { createWire } from './create-wire.ts';
import { createMcpSessions, type KeepLimits } from './mcp-sessions.ts';
import { findOffered, offeredTools } from './offered-tools.ts';
import { createSubscriptionBus } from './resources/subscription-bus.ts';

type Visit = Pick<Caller, 'peer' | 'profile' | 'tellWay' | 'placeToDecide'> & {
  /** The session that the address names. */
  session: string | undefined;
  /** The parsed body; undefined when there is none. */
  body: unknown;
};

export type McpEndpoint = {
  fetch(request: Request, visit: Visit): Promise<Response>;
  /** Number of open sessions of clients of 2025. */
  readonly count: number;
  close(): Promise<void>;
};

type Options = KeepLimits &
  Pick<McpWire, 'gateway' | 'version' | 'onFault'> &
  Partial<Pick<McpWire, 'patienceMs' | 'extra'>>;

const mostSubscriptions = 256;
const ToolCallBody = () =>
  z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

export function createMcpEndpoint({ idleMs, mostForOne, ...options }: Options): McpEndpoint {
  const { gateway } = options;
  let isClosing = false;
  const bus = createSubscriptionBus();
  const wire = createWire({ ...options, publish: bus.publish, isClosing: () => isClosing });
  const lasting = createMcpSessions(wire, {
    ...(idleMs && { idleMs }),
    ...(mostForOne && { mostForOne }),
  });
  const alone = createStandalone(wire, bus);
  const sharedIds = createSharedIds();
  const deferredCalls = createDeferredCalls();
  return {
    get count() {
      return lasting.count;
    },
    async fetch(request, visit) {
      if (!gateway.hasFiles) throw fileless();
      const { peer, body, profile } = visit;
      if (profile !== undefined) await gateway.host.profiles.role(profile);
      if (await isLegacyRequest(request, body)) {
        const ids = createOwnId();
        const caller = callerOf(gateway, visit, () => ids);
        return await lasting.serve(request, body, caller);
      }
      const caller = callerOf(gateway, visit, (client) => sharedIds(peer.subject, client));
      return await alone.fetch(request, body, { wire, caller, era: 'modern', deferredCalls });
    },
    async close() {
      isClosing = true;
      await Promise.all([lasting.close(), alone.close()]);
    },
  };
}

type Standalone = {
  fetch(request: Request, body: unknown, serving: Serving): Promise<Response>;
  close(): Promise<void>;
};

/** Serves standalone requests, each by its own server. */
function createStandalone(wire: McpWire, bus: ReturnType<typeof createSubscriptionBus>): Standalone {
  const served = new WeakMap<Request, Serving>();
  const factory: McpServerFactory = ({ requestInfo }) => {
    const serving = requestInfo && served.get(requestInfo);
    if (serving === undefined) throw new ToolError('INTERNAL', 'A request came past the door.');
    return createServer(serving);
  };
  const options = { legacy: 'reject' as const, bus, maxSubscriptions: mostSubscriptions };
  const jsonHandler = createMcpHandler(factory, options);
  // Streamed from the beginning: an answer that waits for a command must not look like a dead connection.
  const streaming = createMcpHandler(factory, { ...options, responseMode: 'sse' });
  return {
    async fetch(request, body, serving) {
      served.set(request, serving);
      const handler = (await isOwnCall(serving, body)) ? streaming : jsonHandler;
      return await bus.serve(serving, body, () => handler.fetch(request, { parsedBody: body }));
    },
    async close() {
      await Promise.all([jsonHandler.close(), streaming.close()]);
    },
  };
  async function isOwnCall({ caller }: Serving, body: unknown): Promise<boolean> {
    const call = ToolCallBody().safeParse(body).data;
    if (call === undefined) return false;
    const tools = await offeredTools(wire.gateway.host, caller.profile);
    return findOffered(tools, call.params.name) !== undefined;
  }
}

function callerOf(
  gateway: Gateway,
  { peer, profile, session, tellWay, placeToDecide }: Visit,
  idsOf: (client: string) => SessionIds,
): Caller {
  const ids = (client: string): SessionIds => (session === undefined ? idsOf(client) : givenId(session));
  return {
    peer,
    profile,
    tellWay,
    placeToDecide,
    openSession: (client) => openCallerSession(gateway, { peer, client, ids: ids(client) }),
    findSession: (client) => findCallerSession(gateway, { peer, ids: ids(client) }),
  };
}

function fileless(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'This gateway has no files, so it offers no tools over MCP. Run `codelab mcp` where the files are.',
  );
}
