// A workbench whose user has configured MCP servers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch-folder.ts';
import { type Workbench, workbench } from './workbench.ts';

type Options = Omit<NonNullable<Parameters<typeof workbench>[0]>, 'folder'> & {
  servers: Record<string, object>;
  /** Beside the servers, in the user's configuration. */
  config?: object;
};

export async function mcpBench({ servers, config, ...options }: Options): Promise<Workbench> {
  const scratch = scratchFolder();
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ ...config, mcp: { servers } }));
  const bench = await workbench({ ...options, folder: scratch.folder });
  const dispose = bench[Symbol.asyncDispose].bind(bench);
  return Object.assign(bench, {
    async [Symbol.asyncDispose]() {
      await dispose();
      scratch[Symbol.dispose]();
    },
  });
}

/** The server of `mcp-peer.ts`, with its manners. */
export function peer(...behaviour: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [join(import.meta.dirname, 'mcp-peer.ts'), ...behaviour] };
}
