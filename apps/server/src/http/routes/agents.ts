// Which roles there are to talk to, and which tools they have.
import { gatewayRoutes } from '@codelab/api';
import { findDialect } from '@codelab/dialects';
import { createRegistry, defaultProfile, inputSchema, toolSetVersion } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { route } from '../route.ts';

export function serveAgents(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;

  route(app, gatewayRoutes.agents, async () => {
    const roles = (await host.profiles.all()).filter(({ mode }) => mode === 'primary');
    const agents = roles.map(({ name, summary }) => ({ type: name, name, description: summary }));
    return { agents, default: defaultProfile };
  });

  route(app, gatewayRoutes.currentAgent, async ({ params, peer }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, agent_type: session.profile, status: session.status };
  });

  route(app, gatewayRoutes.tools, async ({ query: { profile = defaultProfile, dialect } }) => {
    const rows = findDialect(dialect, { root: host.workspace.root.real }).tools;
    const registry = await createRegistry(host, { session: 'tools', dialect: 'codelab', profile });
    const known = new Map(registry.tools.map((tool) => [tool.name, tool]));
    const tools = rows.flatMap((row) => {
      const tool = known.get(row.tool);
      if (tool === undefined) return [];
      const { kind, summary, narrow } = tool;
      const input = inputSchema(row.input()) as Record<string, unknown>;
      return [{ name: row.name, kind, summary, input, ...(narrow && { takes_hunks: true as const }) }];
    });
    return { version: toolSetVersion, tools };
  });
}
