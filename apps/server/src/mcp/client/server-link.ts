// One MCP server and its tools: what it offers is asked once per connection, and again when it says that it has changed.
import type { Tool } from '@codelab/runtime';
import type { Connection } from './connection.ts';
import { keepConnected } from './keep-connected.ts';
import { makeTool } from './make-tool.ts';
import type { LineOrder } from './open-line.ts';
import { type Offer, readOffer } from './read-offer.ts';
import { CallResultShape } from './read-result.ts';
import type { Served } from './served.ts';
import { until } from './until.ts';

export type ServerLink = AsyncDisposable & {
  /** `isCalled`: somebody wants to use it now, so a server that failed is tried again. */
  listing(wish: { isCalled: boolean; signal: AbortSignal }): Promise<Listing>;
  /** What it offered when it was last asked. */
  readonly tools: readonly Tool[];
};

type Listing = { tools: readonly Tool[]; problems: readonly string[] };

type Known = { offer: Offer; tools: readonly Tool[] };

const nothing: Offer = { definitions: new Map(), problems: [] };

export function createServerLink(order: LineOrder): ServerLink {
  const kept = keepConnected(order);
  let asked: { connection: Connection; changes: number; reading: Promise<Known> } | undefined;
  let known: Known = { offer: nothing, tools: [] };

  async function read(connection: Connection): Promise<Known> {
    const offer = connection.hasTools ? await readOffer(connection, order) : nothing;
    known = remake(known, offer, served);
    return known;
  }

  async function know(isCalled: boolean, signal: AbortSignal): Promise<Known> {
    const connection = await until(kept.connect(isCalled), signal);
    const { changes } = connection;
    if (asked?.connection !== connection || asked.changes !== changes) {
      const fresh = { connection, changes, reading: read(connection) };
      asked = fresh;
      fresh.reading.catch((error: unknown) => {
        kept.blame(error);
        if (asked === fresh) asked = undefined;
      });
    }
    return await until(asked.reading, signal);
  }

  const served: Served = {
    name: order.name,
    server: order.server,
    look: async (tool, signal) => (await know(true, signal)).offer.definitions.get(tool),
    async call({ tool, args, signal, onProgress }) {
      const connection = await until(kept.connect(true), signal);
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
      return known.tools;
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
}

// Whatever stayed as it was stays the same value, so that nobody takes an unchanged list for a new one.
function remake(before: Known, offer: Offer, served: Served): Known {
  const kept = new Map(before.tools.map((tool) => [tool.name, tool]));
  const tools = [...offer.definitions.values()].map((definition) => {
    const isSame = before.offer.definitions.get(definition.tool)?.print === definition.print;
    return (isSame && kept.get(definition.name)) || makeTool(served, definition);
  });
  const isUnchanged =
    tools.length === before.tools.length && tools.every((tool, i) => tool === before.tools[i]);
  return { offer, tools: isUnchanged ? before.tools : tools };
}
