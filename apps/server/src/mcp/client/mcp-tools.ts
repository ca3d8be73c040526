// The tools of the configured MCP servers, as `mcp:server:tool`. A server is started when one of its tools is called or listed,
// and the code that talks to it is loaded only then.
import type { Tool, ToolSource } from '@codelab/runtime';
import type { LinkOptions, Links, ServerLink } from './server-link.ts';
import { toolResultText } from './tool-result-text.ts';

export function createMcpTools(options: LinkOptions): ToolSource {
  let opening: Promise<Links> | undefined;
  let lists: readonly (readonly Tool[])[] = [];
  let allTools: readonly Tool[] = [];
  let problems: readonly string[] = [];
  const open = (): Promise<Links> => {
    opening ??= import('./server-link.ts').then(({ openLinks }) => openLinks(options));
    return opening;
  };

  return {
    kind: 'execute',
    async find(name, signal) {
      const [, server = '', ...rest] = name.split(':');
      if (!name.startsWith('mcp:') || !Object.hasOwn(options.servers, server)) return undefined;
      const link = (await open()).byName.get(server);
      const { tools } = (await link?.listing({ isCalled: true, signal })) ?? { tools: [] };
      return rest.length === 1 ? tools.find((tool) => tool.name === name) : undefined;
    },
    async list(signal, isSoon = false) {
      const { byName } = await open();
      const list = isSoon ? listSoon : listQuietly;
      const found = await Promise.all(Array.from(byName, ([name, link]) => list(name, link, signal)));
      problems = found.flatMap(({ problems }) => problems);
      if (found.some(({ tools }, i) => tools !== lists[i])) {
        lists = found.map(({ tools }) => tools);
        allTools = lists.flat();
      }
      return allTools;
    },
    problems: () => problems,
    tell: toolResultText,
    async [Symbol.asyncDispose]() {
      const links = await opening?.catch(() => undefined);
      await links?.[Symbol.asyncDispose]();
    },
  };
}

const none: readonly Tool[] = [];

/** How long the first listing waits for a server to start; most have started by then. Later listings do not wait. */
const startMs = 1000;
const startedAt = new WeakMap<ServerLink, number>();

type Found = { tools: readonly Tool[]; problems: readonly string[] };

// A server that fails must not remove the tools of the others.
async function listQuietly(_name: string, link: ServerLink, signal: AbortSignal): Promise<Found> {
  try {
    return await link.listing({ isCalled: false, signal });
  } catch (error) {
    signal.throwIfAborted();
    return { tools: none, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

// A server that hangs must not delay a request: its tools join a later one.
async function listSoon(name: string, link: ServerLink, signal: AbortSignal): Promise<Found> {
  const listing = listQuietly(name, link, signal);
  const since = startedAt.get(link) ?? performance.now();
  startedAt.set(link, since);
  using patience = after(Math.max(0, since + startMs - performance.now()));
  const found = await Promise.race([listing, patience.elapsed]);
  if (found !== undefined) return found;
  // A later listing reports the failure.
  listing.catch(() => undefined);
  const notice = `The MCP server ${name} has not answered yet. Its tools are added when it does.`;
  return { tools: link.tools, problems: link.tools.length === 0 ? [notice] : [] };
}

function after(ms: number): Disposable & { elapsed: Promise<undefined> } {
  const { promise: elapsed, resolve } = Promise.withResolvers<undefined>();
  // An answer that has already arrived comes before an immediate.
  const immediate = ms === 0 ? setImmediate(resolve, undefined) : undefined;
  const timer = ms === 0 ? undefined : setTimeout(resolve, ms, undefined);
  // V8 does not accept a bound function here.
  const stop = (): void => {
    clearImmediate(immediate);
    clearTimeout(timer);
  };
  return { elapsed, [Symbol.dispose]: stop };
}
