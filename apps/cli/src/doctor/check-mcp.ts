// Which MCP servers are configured. None is started: that happens when an agent needs one.
import { loadConfig } from '@codelab/server';
import { realRoot } from '../command-line/compose-options.ts';
import type { Finding } from './finding.ts';

type Places = { workspace: string; home: string; env: NodeJS.ProcessEnv };

export async function checkMcp({ workspace, home, env }: Places): Promise<Finding> {
  const finding = { name: 'MCP servers', isRequired: false };
  try {
    const root = realRoot(workspace);
    const loaded = await loadConfig({ home, root, mode: undefined, env });
    const { mcpServers, untrustedMcpServers, problems } = loaded;
    if (problems.length > 0)
      return { ...finding, status: 'broken', found: 'not known', advice: 'see configuration' };
    const names = Object.keys(mcpServers);
    if (untrustedMcpServers.length > 0)
      return {
        ...finding,
        status: 'missing',
        found: `${listText(names)}; the workspace also names ${listText(untrustedMcpServers)}`,
        advice: 'read its .codelab/config.json, then `codelab policy trust`',
      };
    return names.length === 0
      ? { ...finding, status: 'missing', found: 'none configured', advice: 'more tools: docs/mcp-client.md' }
      : { ...finding, status: 'ok', found: listText(names), advice: 'started when an agent needs them' };
  } catch {
    return { ...finding, status: 'broken', found: 'not known', advice: 'see configuration' };
  }
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
