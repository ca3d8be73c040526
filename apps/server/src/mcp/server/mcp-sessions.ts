// MCP sessions that last over several requests: opening, finding and ending them, within limits.

import { randomBytes } from 'node:crypto';
import { ToolError } from '@codelab/protocol';
import {
  isInitializeRequest,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller, McpWire } from './caller.ts';
import { createDeferredCalls } from './calls/live-calls.ts';
import { createServer } from './create-server.ts';
import { createEventStore } from './event-store.ts';
import { createUsedIds, duplicateId, type UsedIds } from './used-ids.ts';

// The MCP sessions that are held: so many for each person, none of them for ever. One that nobody uses is dropped after a while, and of too
// many the one unused for longest; its client is told that it is gone, and greets again.
type Kept = {
  /** As the latest request has it. */
  caller: Caller;
  transport: WebStandardStreamableHTTPServerTransport;
  usedIds: UsedIds;
  close(): Promise<void>;
  usedAt: number;
  /** Requests and streams that are open. */
  open: number;
};

export type KeepLimits = { idleMs?: number; mostForOne?: number };

type KeptSessions = {
  readonly count: number;
  keep(id: string, one: Kept): void;
  find(id: string, subject: string): Kept | undefined;
  /** It is in use until the signal aborts. */
  use(one: Kept, signal: AbortSignal): void;
  makeRoom(subject: string): void;
  forget(id: string): void;
  close(): Promise<void>;
};

const defaultIdleMs = 30 * 60_000;
const defaultMost = 64;

function createKeptSessions(
  { idleMs = defaultIdleMs, mostForOne = defaultMost }: KeepLimits,
  onFault: (error: unknown) => void,
): KeptSessions {
  const kept = new Map<string, Kept>();
  const sweeping = setInterval(sweep, idleMs / 4).unref();

  function drop(id: string): void {
    const one = kept.get(id);
    kept.delete(id);
    one?.close().catch(onFault);
  }
  function sweep(): void {
    const before = Date.now() - idleMs;
    for (const [id, { open, usedAt }] of kept) if (open === 0 && usedAt <= before) drop(id);
  }
  return {
    get count() {
      return kept.size;
    },
    keep: (id, one) => void kept.set(id, one),
    forget: (id) => void kept.delete(id),
    find(id, subject) {
      const one = kept.get(id);
      // Somebody else's is as good as none.
      return one?.caller.peer.subject === subject ? one : undefined;
    },
    use(one, signal) {
      one.open++;
      one.usedAt = Date.now();
      const leave = (): void => {
        one.open--;
        one.usedAt = Date.now();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    },
    makeRoom(subject) {
      const own = [...kept].filter(([, { caller }]) => caller.peer.subject === subject);
      if (own.length < mostForOne) return;
      const unused = own.filter(([, { open }]) => open === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
      const [oldest] = unused;
      if (oldest === undefined) throw tooMany(mostForOne);
      drop(oldest[0]);
    },
    async close() {
      clearInterval(sweeping);
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

function tooMany(most: number): ToolError {
  return new ToolError('RATE_LIMITED', `${most} MCP sessions of yours are in use. Close some of them.`);
}

// Serves clients of 2025: they greet, get a secret id and a server of their own, and come back with the id.
// How soon a client whose stream was cut comes back for the rest.
const retryMs = 1000;

export type McpSessions = {
  serve(request: Request, body: unknown, caller: Caller): Promise<Response>;
  readonly count: number;
  close(): Promise<void>;
};

export function createMcpSessions(wire: McpWire, limits: KeepLimits): McpSessions {
  const sessions = createKeptSessions(limits, wire.onFault);

  async function greet(request: Request, body: unknown, caller: Caller): Promise<Response> {
    sessions.makeRoom(caller.peer.subject);
    // Its token may change in the course of time, and a link is made with the latest.
    const own = withPlacesOf(caller, () => one.caller);
    const aside = createDeferredCalls();
    const server = createServer({ wire, caller: own, era: 'legacy', aside });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(24).toString('base64url'),
      eventStore: createEventStore(),
      retryInterval: retryMs,
      onsessioninitialized(id) {
        sessions.keep(id, one);
        sessions.use(one, request.signal);
      },
      onsessionclosed(id) {
        sessions.forget(id);
        aside.cancelAll();
      },
    });
    const usedIds = createUsedIds(transport);
    const one: Kept = {
      caller,
      transport,
      usedIds,
      close: () => server.close(),
      usedAt: Date.now(),
      open: 0,
    };
    await server.connect(transport);
    usedIds.take(body);
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  return {
    get count() {
      return sessions.count;
    },
    async serve(request, body, caller) {
      if (request.method === 'POST' && isInitializeRequest(body)) return await greet(request, body, caller);
      const id = request.headers.get('mcp-session-id');
      if (id === null)
        return refuse(400, -32_000, 'An Mcp-Session-Id is needed: greet with `initialize` first.');
      const one = sessions.find(id, caller.peer.subject);
      if (one === undefined)
        return refuse(404, -32_001, 'There is no such MCP session any more. Greet with `initialize` again.');
      const usedId = one.usedIds.take(body);
      if (usedId !== undefined) return refuse(400, duplicateId.code, duplicateId.message, usedId);
      one.caller = caller;
      sessions.use(one, request.signal);
      const options = body === undefined ? {} : { parsedBody: body };
      const response = await one.transport.handleRequest(request, options);
      if (!response.ok) one.usedIds.release(body);
      return response;
    },
    close: sessions.close,
  };
}

function withPlacesOf(caller: Caller, latest: () => Caller): Caller {
  return {
    ...caller,
    tellWay: (session, approval) => latest().tellWay(session, approval),
    placeToDecide: (session) => latest().placeToDecide(session),
  };
}

function refuse(status: number, code: number, message: string, id: RequestId | null = null): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
}
