// Serves clients of 2025: they greet, get a secret id and a server of their own, and come back with the id.
import { randomBytes } from 'node:crypto';
import {
  isInitializeRequest,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller, Wire } from './caller.ts';
import { createServer } from './create-server.ts';
import { createEventStore } from './event-store.ts';
import { createKeptSessions, type KeepLimits, type Kept } from './kept-sessions.ts';
import { createSetAside } from './set-aside.ts';
import { createUsedIds, duplicateId } from './used-ids.ts';

// How soon a client whose stream was cut comes back for the rest.
const retryMs = 1000;

export type LastingSessions = {
  serve(request: Request, body: unknown, caller: Caller): Promise<Response>;
  readonly count: number;
  close(): Promise<void>;
};

export function createLastingSessions(wire: Wire, limits: KeepLimits): LastingSessions {
  const sessions = createKeptSessions(limits, wire.onFault);

  async function greet(request: Request, body: unknown, caller: Caller): Promise<Response> {
    sessions.makeRoom(caller.peer.subject);
    // Its token may change in the course of time, and a link is made with the latest.
    const own = withPlacesOf(caller, () => one.caller);
    const aside = createSetAside();
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
