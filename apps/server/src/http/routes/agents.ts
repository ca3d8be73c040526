// Which roles there are to talk to, and which tools they have.
import { findDialect } from '@codelab/dialects';
import { createRegistry, defaultProfile } from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway } from '../../sessions/gateway.ts';

const Wanted = () =>
  z.object({ profile: z._default(z.string(), defaultProfile), dialect: z._default(z.string(), 'codelab') });

export function agentRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;

  app.get('/api/v1/agents', async () => {
    const roles = (await host.profiles.all()).filter(({ mode }) => mode === 'primary');
    const agents = roles.map(({ name, summary }) => ({ type: name, name, description: summary }));
    return { agents, default: defaultProfile };
  });

  app.get<{ Params: { id: string } }>('/api/v1/agents/:id/current', async ({ params, peer }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, agent_type: session.profile, status: session.status };
  });

  app.get('/api/v1/tools', async ({ query }) => {
    const { profile, dialect } = readInput(Wanted(), query);
    const rows = findDialect(dialect, { root: host.workspace.root.real }).tools;
    const registry = await createRegistry(host, { session: 'tools', dialect: 'codelab', profile });
    const known = new Map(registry.tools.map((tool) => [tool.name, tool]));
    const tools = rows.flatMap((row) => {
      const tool = known.get(row.tool);
      if (tool === undefined) return [];
      const { kind, summary, narrow } = tool;
      const input = z.toJSONSchema(row.input(), { io: 'input' });
      return [{ name: row.name, kind, summary, input, ...(narrow && { takes_hunks: true }) }];
    });
    return { tools };
  });
}
