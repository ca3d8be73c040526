// Serves clients of 2025: they greet, get a secret id and a server of their own, and come back with the id.
import { randomBytes } from 'node:crypto';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Caller, Wire } from './caller.ts';
import { createServer } from './create-server.ts';
import { createEventStore } from './event-store.ts';
import { createKeptSessions, type KeepLimits, type Kept } from './kept-sessions.ts';

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
    const tellWay: Caller['tellWay'] = (session, approval) => one.caller.tellWay(session, approval);
    const server = createServer({ wire, caller: { ...caller, tellWay }, era: 'legacy' });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(24).toString('base64url'),
      eventStore: createEventStore(),
      onsessioninitialized(id) {
        sessions.keep(id, one);
        sessions.use(one, request.signal);
      },
      onsessionclosed: sessions.forget,
    });
    const one: Kept = { caller, transport, close: () => server.close(), usedAt: Date.now(), open: 0 };
    await server.connect(transport);
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
      one.caller = caller;
      sessions.use(one, request.signal);
      return await one.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    },
    close: sessions.close,
  };
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
