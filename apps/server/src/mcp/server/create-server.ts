// One MCP server for one client: the requests it handles, and how a tool call runs.
import { errorTable, ToolError } from '@codelab/protocol';
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Client, clientOf, type Serving } from './caller.ts';
import { runClientCall } from './calls/run-client-call.ts';
import { failedResultOf, toolResultOf } from './calls/tool-result.ts';
import type { ExtraRequest } from './extra-offer.ts';
import { findOffered, offeredTools } from './offered-tools.ts';
import { complete, getPrompt, listPrompts } from './prompts.ts';
import { listResources, readResource, resourceTemplates } from './resources/own-resources.ts';
import { type Subscriptions, serveSubscriptions } from './resources/serve-subscriptions.ts';

// The server offers our tools, what can be read of the client's session, and skills.
const instructions =
  'Tools over one workspace. Paths are relative to it. Reading is free; changes and commands may wait until a human has decided. A call ' +
  'that was refused must not be repeated in other words: do what the feedback says, or ask.';

export function createServer(serving: Serving): Server {
  const { wire } = serving;
  const isExtended = wire.extra !== undefined;
  const server = new Server(
    { name: 'codelab', title: 'CodeLab', version: wire.version },
    {
      capabilities: {
        tools: isExtended ? { listChanged: true } : {},
        prompts: isExtended ? { listChanged: true } : {},
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
      instructions,
      requestState: wire.states,
    },
  );
  // Since 2026-07-28 the wire itself has subscriptions.
  const subscriptions = serving.era === 'legacy' ? serveSubscriptions(server, serving) : undefined;
  serveTools(server, serving, subscriptions);
  serveResources(server, serving);
  servePrompts(server, serving);
  return server;
}

function serveTools(server: Server, serving: Serving, subscriptions: Subscriptions | undefined): void {
  const { wire, caller } = serving;
  const { extra } = wire;
  server.setRequestHandler('tools/list', async () => {
    const tools = await offeredTools(wire.gateway.host, caller.profile);
    return { tools: [...tools.map(({ listing }) => listing), ...(extra?.tools ?? [])] };
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { name, arguments: args = {} } = params;
    if (extra?.tools.some((tool) => tool.name === name))
      return await extra.callTool(extraRequest({ server, serving, ctx }, name, args));
    const client = clientOf(server, ctx);
    const result = await serveCall(serving, { name, args, ctx, client });
    subscriptions?.watchList(client);
    return result;
  });
}

function serveResources(server: Server, serving: Serving): void {
  const { extra } = serving.wire;
  server.setRequestHandler('resources/list', async (_request, ctx) => {
    const resources = await asProtocol(serving, listResources(serving, clientOf(server, ctx)));
    return { resources: [...(extra?.resources ?? []), ...resources] };
  });
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [...(extra?.templates ?? []), ...resourceTemplates],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    const found = extra?.readResource(uri);
    if (found !== undefined) return found;
    return await asProtocol(serving, readResource(serving, { uri, ctx, client: clientOf(server, ctx) }), {
      uri,
    });
  });
}

function servePrompts(server: Server, serving: Serving): void {
  const { extra } = serving.wire;
  server.setRequestHandler('prompts/list', async (_request, ctx) => {
    const prompts = await asProtocol(serving, listPrompts(serving, clientOf(server, ctx)));
    return { prompts: [...(extra?.prompts ?? []), ...prompts] };
  });
  server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    const { name, arguments: args = {} } = params;
    if (extra?.prompts.some((prompt) => prompt.name === name))
      return await extra.getPrompt(extraRequest({ server, serving, ctx }, name, args));
    return await asProtocol(serving, getPrompt(serving, { name, args, ctx, client: clientOf(server, ctx) }), {
      name,
    });
  });
  server.setRequestHandler('completion/complete', async ({ params }) => {
    const { ref, argument } = params;
    if (ref.type === 'ref/prompt' && extra?.prompts.some(({ name }) => name === ref.name))
      return extra.complete(argument);
    return await complete(serving, params);
  });
}

type Serve = { server: Server; serving: Serving; ctx: ServerContext };

function extraRequest(
  { server, serving, ctx }: Serve,
  name: string,
  args: Record<string, unknown>,
): ExtraRequest {
  const { states, publish } = serving.wire;
  return { name, args, ctx, server, mint: (state) => states.mint(state), publish };
}

/** Requests other than `tools/call` have no form for a failure: a failure of ours becomes an error of the protocol. */
async function asProtocol<T>(
  { wire }: Serving,
  work: Promise<T>,
  details: Record<string, string> = {},
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!(error instanceof ToolError)) {
      wire.onFault(error);
      throw error;
    }
    const { code, message } = error;
    const text = `${code}: ${message} ${errorTable[code].next}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text, { ...details, code });
  }
}

// One `tools/call`: find the tool → run the call → return its outcome.
type ToolRequest = { name: string; args: Record<string, unknown>; ctx: ServerContext; client: Client };

async function serveCall(
  serving: Serving,
  { name, args, ctx, client }: ToolRequest,
): Promise<CallToolResult | InputRequiredResult> {
  const { wire, caller } = serving;
  try {
    const tool = findOffered(await offeredTools(wire.gateway.host, caller.profile), name);
    if (tool === undefined) throw unknownTool(name);
    const requested = { tool: tool.row.name, args };
    const end = await runClientCall({ ...serving, requested, ctx, client });
    return 'question' in end ? end.question : toolResultOf(tool, end.wireArgs, end.outcome);
  } catch (error) {
    if (error instanceof ToolError) return failedResultOf(error);
    if (!(error instanceof ProtocolError)) wire.onFault(error);
    throw error;
  }
}

function unknownTool(name: string): ProtocolError {
  const quoted = JSON.stringify(name.slice(0, 100));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${quoted} here. \`tools/list\` names them.`,
  );
}
