// The links to all configured servers, none of them connected yet. Loads what talks to servers.
import { openPrograms } from '@codelab/runtime';
import type { McpServers } from '../../config/config.ts';
import { createServerLink, type ServerLink } from './server-link.ts';

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
      await Promise.all([...byName.values()].map((one) => one[Symbol.asyncDispose]()));
      programs[Symbol.dispose]();
    },
  };
}
