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

export type KeepLimits = { idleMs?: number; mostForOne?: number };

export type McpSessions = {
  serve(request: Request, body: unknown, caller: Caller): Promise<Response>;
  readonly count: number;
  close(): Promise<void>;
};

/** Serves clients of 2025: they initialize, get a secret id and their own server, and come back with the id. */
export function createMcpSessions(wire: McpWire, limits: KeepLimits): McpSessions {
  const sessions = createOpenSessions(limits, wire.onFault);
  return {
    get count() {
      return sessions.count;
    },
    serve: async (request, body, caller) =>
      request.method === 'POST' && isInitializeRequest(body)
        ? await initializeSession(request, body, { wire, caller, sessions })
        : await serveInSession(request, body, { caller, sessions }),
    close: sessions.close,
  };
}

type Serving = { caller: Caller; sessions: OpenSessions };

/** How soon a client with a broken stream should reconnect. */
const retryMs = 1000;

async function initializeSession(
  request: Request,
  body: unknown,
  { wire, caller, sessions }: Serving & { wire: McpWire },
): Promise<Response> {
  sessions.makeRoom(caller.peer.subject);
  // The client's token may change over time, and a link is made with the latest.
  const latestCaller = withPlacesOf(caller, () => session.caller);
  const deferredCalls = createDeferredCalls();
  const server = createServer({ wire, caller: latestCaller, era: 'legacy', deferredCalls });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomBytes(24).toString('base64url'),
    eventStore: createEventStore(),
    retryInterval: retryMs,
    onsessioninitialized(id) {
      sessions.add(id, session);
      sessions.use(session, request.signal);
    },
    onsessionclosed(id) {
      sessions.forget(id);
      deferredCalls.cancelAll();
    },
  });
  const usedIds = createUsedIds(transport);
  const close = (): Promise<void> => server.close();
  const session: OpenSession = { caller, transport, usedIds, close, usedAt: Date.now(), requests: 0 };
  await server.connect(transport);
  usedIds.take(body);
  const response = await transport.handleRequest(request, { parsedBody: body });
  if (transport.sessionId === undefined) await server.close();
  return response;
}

async function serveInSession(
  request: Request,
  body: unknown,
  { caller, sessions }: Serving,
): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  if (id === null) return refuse(400, -32_000, 'An Mcp-Session-Id is required. Send `initialize` first.');
  const session = sessions.find(id, caller.peer.subject);
  if (session === undefined)
    return refuse(404, -32_001, 'This MCP session no longer exists. Send `initialize` again.');
  const usedId = session.usedIds.take(body);
  if (usedId !== undefined) return refuse(400, duplicateId.code, duplicateId.message, usedId);
  session.caller = caller;
  sessions.use(session, request.signal);
  const options = body === undefined ? {} : { parsedBody: body };
  const response = await session.transport.handleRequest(request, options);
  if (!response.ok) session.usedIds.release(body);
  return response;
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

type OpenSession = {
  /** The caller of the latest request. */
  caller: Caller;
  transport: WebStandardStreamableHTTPServerTransport;
  usedIds: UsedIds;
  close(): Promise<void>;
  usedAt: number;
  /** Number of open requests and streams. */
  requests: number;
};

/**
 * The open MCP sessions, limited per person and in time. An unused session is dropped after a while, and of too many the least recently
 * used; its client gets an error and initializes again.
 */
type OpenSessions = {
  readonly count: number;
  add(id: string, session: OpenSession): void;
  find(id: string, subject: string): OpenSession | undefined;
  /** The session is in use until the signal aborts. */
  use(session: OpenSession, signal: AbortSignal): void;
  makeRoom(subject: string): void;
  forget(id: string): void;
  close(): Promise<void>;
};

const defaultIdleMs = 30 * 60_000;
const defaultMost = 64;

function createOpenSessions(
  { idleMs = defaultIdleMs, mostForOne = defaultMost }: KeepLimits,
  onFault: (error: unknown) => void,
): OpenSessions {
  const sessions = new Map<string, OpenSession>();
  const sweeping = setInterval(dropIdle, idleMs / 4).unref();

  function drop(id: string): void {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.close().catch(onFault);
  }
  function dropIdle(): void {
    const before = Date.now() - idleMs;
    for (const [id, { requests, usedAt }] of sessions) if (requests === 0 && usedAt <= before) drop(id);
  }
  return {
    get count() {
      return sessions.size;
    },
    add: (id, session) => void sessions.set(id, session),
    forget: (id) => void sessions.delete(id),
    find(id, subject) {
      const session = sessions.get(id);
      // A session of another user counts as no session, so that its existence is not revealed.
      return session?.caller.peer.subject === subject ? session : undefined;
    },
    use: holdUntilAborted,
    makeRoom(subject) {
      const ofSubject = [...sessions].filter(([, { caller }]) => caller.peer.subject === subject);
      if (ofSubject.length < mostForOne) return;
      const idle = ofSubject.filter(([, { requests }]) => requests === 0);
      const [oldest] = idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
      if (oldest === undefined) throw tooMany(mostForOne);
      drop(oldest[0]);
    },
    async close() {
      clearInterval(sweeping);
      const openSessions = [...sessions.values()];
      sessions.clear();
      await Promise.all(openSessions.map((session) => session.close()));
    },
  };
}

function holdUntilAborted(session: OpenSession, signal: AbortSignal): void {
  session.requests++;
  session.usedAt = Date.now();
  const release = (): void => {
    session.requests--;
    session.usedAt = Date.now();
  };
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
}

function tooMany(limit: number): ToolError {
  return new ToolError('RATE_LIMITED', `${limit} MCP sessions of yours are in use. Close some of them.`);
}
