// The MCP server that one client talks to, or one of its requests: our tools, and nothing else.
import { Server } from '@modelcontextprotocol/server';
import { clientOf } from './client-of.ts';
import { offeredTools } from './offered-tools.ts';
import { type Serving, serveCall } from './serve-call.ts';

const instructions =
  'Tools over one workspace. Paths are relative to it. Reading is free; changes and commands may wait until a human has decided. A call ' +
  'that was refused is not to be made again in other words: do what the feedback says, or ask.';

export function createServer(serving: Serving): Server {
  const { wire, caller } = serving;
  const { host } = wire.gateway;
  const server = new Server(
    { name: 'codelab', title: 'CodeLab', version: wire.version },
    {
      capabilities: { tools: {}, logging: {} },
      instructions,
      requestState: wire.states,
    },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: (await offeredTools(host, caller.profile)).map(({ listing }) => listing),
  }));
  server.setRequestHandler('tools/call', ({ params }, ctx) =>
    serveCall(serving, {
      name: params.name,
      args: params.arguments ?? {},
      ctx,
      client: clientOf(server, ctx),
    }),
  );
  return server;
}
