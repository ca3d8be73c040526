// `/mcp` as a function from a web request to a web response. Clients of 2025 greet and hold a session; requests of 2026-07-28 stand alone
// and share one CodeLab session for each person and client, or name one themselves.
import { ToolError } from '@codelab/protocol';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Gateway, Peer } from '../../gateway/gateway.ts';
import type { Caller } from './caller.ts';
import { createServer } from './create-server.ts';
import { createWire } from './create-wire.ts';
import type { KeepLimits } from './kept-sessions.ts';
import { createLastingSessions } from './lasting-sessions.ts';
import { openCallerSession } from './open-caller-session.ts';
import { createOwnId, createSharedIds, givenId, type SessionIds } from './session-ids.ts';

type Visit = {
  peer: Peer;
  /** From the address: the role whose tools are wanted, and the session to work in. */
  profile: string | undefined;
  session: string | undefined;
  /** As it was parsed; undefined where there is none. */
  body: unknown;
  tellWay: Caller['tellWay'];
};

export type McpEndpoint = {
  fetch(request: Request, visit: Visit): Promise<Response>;
  /** Sessions of clients of 2025 that are held. */
  readonly count: number;
  close(): Promise<void>;
};

type Options = KeepLimits & { gateway: Gateway; version: string; onFault(error: unknown): void };

const mostSubscriptions = 256;

export function createMcpEndpoint({ gateway, version, onFault, ...limits }: Options): McpEndpoint {
  let isClosing = false;
  const wire = createWire({ gateway, version, onFault, isClosing: () => isClosing });
  const lasting = createLastingSessions(wire, limits);
  const sharedIds = createSharedIds();
  const callers = new WeakMap<Request, Caller>();
  const alone = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (caller === undefined) throw new ToolError('INTERNAL', 'A request came past the door.');
      return createServer({ wire, caller, era: 'modern' });
    },
    // A stream from the beginning: an answer that waits for a human must not look like a dead line.
    { legacy: 'reject', responseMode: 'sse', maxSubscriptions: mostSubscriptions },
  );
  return {
    get count() {
      return lasting.count;
    },
    async fetch(request, visit) {
      if (!gateway.hasFiles) throw fileless();
      const { peer, body, profile } = visit;
      if (profile !== undefined) await gateway.host.profiles.role(profile);
      if (await isLegacyRequest(request, body)) {
        const own = createOwnId();
        return await lasting.serve(
          request,
          body,
          callerOf(gateway, visit, () => own),
        );
      }
      callers.set(
        request,
        callerOf(gateway, visit, (client) => sharedIds(peer.subject, client)),
      );
      return await alone.fetch(request, { parsedBody: body });
    },
    async close() {
      isClosing = true;
      await Promise.all([lasting.close(), alone.close()]);
    },
  };
}

function callerOf(
  gateway: Gateway,
  { peer, profile, session, tellWay }: Visit,
  idsOf: (client: string) => SessionIds,
): Caller {
  return {
    peer,
    profile,
    tellWay,
    openSession: (client) =>
      openCallerSession(gateway, {
        peer,
        client,
        ids: session === undefined ? idsOf(client) : givenId(session),
      }),
  };
}

function fileless(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'This gateway has no files of its own, so it offers no tools over MCP. Run `codelab mcp` where the files are.',
  );
}
