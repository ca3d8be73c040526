// The link to each configured MCP server: connected on first use, and again when it was lost.
import { openPrograms, type Tool } from '@codelab/runtime';
import type { McpServers } from '../../config/config.ts';
import type { McpConnection } from './connection.ts';
import { keepConnected } from './keep-connected.ts';
import { makeTool, type ToolServer } from './make-tool.ts';
import type { TransportOptions } from './open-transport.ts';
import { type McpToolList, readToolList } from './read-tool-list.ts';
import { CallResultShape } from './read-tool-result.ts';

// The links to all configured servers, none of them connected yet. Loads the code that talks to servers.
export type LinkOptions = { servers: McpServers; root: string; home: string; env: NodeJS.ProcessEnv };
export type Links = AsyncDisposable & { byName: ReadonlyMap<string, ServerLink> };

export async function openLinks({ servers, root, home, env }: LinkOptions): Promise<Links> {
  const programs = await openPrograms({ home, root });
  const link = (name: string, server: McpServers[string]): ServerLink =>
    createServerLink({ name, server, root, env, programs });
  const byName = new Map(Object.entries(servers).map(([name, server]) => [name, link(name, server)]));
  return {
    byName,
    async [Symbol.asyncDispose]() {
      await Promise.all([...byName.values()].map((link) => link[Symbol.asyncDispose]()));
      programs[Symbol.dispose]();
    },
  };
}

// One MCP server and its tools: the list is requested once per connection, and again when the server announces a change.
export type ServerLink = AsyncDisposable & {
  /** `isCalled`: a call needs the server now, so a failed server is tried again. */
  listing(options: { isCalled: boolean; signal: AbortSignal }): Promise<Listing>;
  /** The tools of the last listing. */
  readonly tools: readonly Tool[];
};

type Listing = { tools: readonly Tool[]; problems: readonly string[] };

type Known = { offer: McpToolList; tools: readonly Tool[] };

const nothing: McpToolList = { definitions: new Map(), problems: [] };

function createServerLink(order: TransportOptions): ServerLink {
  const link = keepConnected(order);
  let latest: { connection: McpConnection; changes: number; reading: Promise<Known> } | undefined;
  let offered: Known = { offer: nothing, tools: [] };

  async function read(connection: McpConnection): Promise<Known> {
    const offer = connection.hasTools ? await readToolList(connection, order) : nothing;
    offered = remake(offered, offer, served);
    return offered;
  }

  async function know(isCalled: boolean, signal: AbortSignal): Promise<Known> {
    const connection = await until(link.connect(isCalled), signal);
    const { changes } = connection;
    if (latest?.connection !== connection || latest.changes !== changes) {
      const fresh = { connection, changes, reading: read(connection) };
      latest = fresh;
      fresh.reading.catch((error: unknown) => {
        link.blame(error);
        if (latest === fresh) latest = undefined;
      });
    }
    return await until(latest.reading, signal);
  }

  const served: ToolServer = {
    name: order.name,
    server: order.server,
    findDefinition: async (tool, signal) => (await know(true, signal)).offer.definitions.get(tool),
    async call({ tool, args, signal, onProgress }) {
      const connection = await until(link.connect(true), signal);
      const params = { name: tool, arguments: args };
      const answer = CallResultShape();
      return await connection.ask({ method: 'tools/call', params, answer, signal, onProgress });
    },
  };

  return {
    async listing({ isCalled, signal }) {
      const { tools, offer } = await know(isCalled, signal);
      return { tools, problems: offer.problems };
    },
    get tools() {
      return offered.tools;
    },
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
}

// Unchanged tools stay the same values, so that an unchanged list is not mistaken for a new one.
function remake(before: Known, offer: McpToolList, served: ToolServer): Known {
  const earlier = new Map(before.tools.map((tool) => [tool.name, tool]));
  const tools = [...offer.definitions.values()].map((definition) => {
    const isSame = before.offer.definitions.get(definition.tool)?.print === definition.print;
    return (isSame && earlier.get(definition.name)) || makeTool(served, definition);
  });
  const isUnchanged =
    tools.length === before.tools.length && tools.every((tool, i) => tool === before.tools[i]);
  return { offer, tools: isUnchanged ? before.tools : tools };
}

// Waits for shared work: a caller who gives up leaves, and the work continues.

function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
