// The tools of the configured MCP servers, as `mcp:server:tool`. A server is started when one of its tools is called or listed,
// and everything that talks to it is loaded only then.
import type { Tool, ToolSource } from '@codelab/runtime';
import type { LinkOptions, Links } from './open-links.ts';
import type { ServerLink } from './server-link.ts';
import { tellResult } from './tell-result.ts';

export function createMcpTools(options: LinkOptions): ToolSource {
  let opening: Promise<Links> | undefined;
  let lists: readonly (readonly Tool[])[] = [];
  let whole: readonly Tool[] = [];
  let problems: readonly string[] = [];
  const open = (): Promise<Links> => {
    opening ??= import('./open-links.ts').then(({ openLinks }) => openLinks(options));
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
    async list(signal) {
      const { byName } = await open();
      const found = await Promise.all([...byName.values()].map((link) => listQuietly(link, signal)));
      problems = found.flatMap(({ problems }) => problems);
      if (found.some(({ tools }, i) => tools !== lists[i])) {
        lists = found.map(({ tools }) => tools);
        whole = lists.flat();
      }
      return whole;
    },
    problems: () => problems,
    tell: tellResult,
    async [Symbol.asyncDispose]() {
      const links = await opening?.catch(() => undefined);
      await links?.[Symbol.asyncDispose]();
    },
  };
}

const none: readonly Tool[] = [];

// One server that fails must not take the tools of the others away.
async function listQuietly(
  link: ServerLink,
  signal: AbortSignal,
): Promise<{ tools: readonly Tool[]; problems: readonly string[] }> {
  try {
    return await link.listing({ isCalled: false, signal });
  } catch (error) {
    signal.throwIfAborted();
    return { tools: none, problems: [error instanceof Error ? error.message : String(error)] };
  }
}
