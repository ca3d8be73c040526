// The roles of this gateway, the tools of each, and the commands and skills that a person can use by name.
import { commandRoutes, gatewayRoutes, type RouteAnswer } from '@codelab/api';
import { findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import {
  createRegistry,
  defaultProfile,
  type Host,
  inputSchema,
  listCommands,
  toolSetVersion,
  typedCommand,
} from '@codelab/runtime';
import type { FastifyInstance } from 'fastify';
import { availableSkills } from '../../agent/agent-profile.ts';
import { initPrompt } from '../../agent/context/instructions.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';

export function serveAgents(app: FastifyInstance, gateway: Gateway): void {
  const { host } = gateway;
  serveOwnCommands(app, gateway);

  serveRoute(app, gatewayRoutes.agents, async () => {
    const roles = (await host.profiles.all()).filter(({ mode }) => mode === 'primary');
    const agents = roles.map(({ name, summary }) => ({ type: name, name, description: summary }));
    return { agents, default: defaultProfile };
  });

  serveRoute(app, gatewayRoutes.currentAgent, async ({ params, peer }) => {
    const session = await gateway.session(params.id, peer, { mustExist: true });
    return { session_id: session.id, agent_type: session.profile, status: session.status };
  });

  serveRoute(app, gatewayRoutes.tools, async ({ query: { profile = defaultProfile, dialect } }) => {
    const rows = findDialect(dialect, { root: host.workspace.root.real }).tools;
    const registry = await createRegistry(host, { session: 'tools', dialect: 'codelab', profile });
    const toolsByName = new Map(registry.tools.map((tool) => [tool.name, tool]));
    const tools = rows.flatMap((row) => {
      const tool = toolsByName.get(row.tool);
      if (tool === undefined) return [];
      const { kind, summary, narrow } = tool;
      const input = inputSchema(row.input()) as Record<string, unknown>;
      return [{ name: row.name, kind, summary, input, ...(narrow && { takes_hunks: true as const }) }];
    });
    return { version: toolSetVersion, tools };
  });
}

// Prompts that a person can send by name: their own commands, those of the workspace, and skills. The page sends the prompt's text as a
// message.
function serveOwnCommands(app: FastifyInstance, { host, hasFiles }: Gateway): void {
  // Without files there is no workspace to have commands.
  if (!hasFiles) return;
  serveRoute(app, commandRoutes.list, () => list(host));
  serveRoute(app, commandRoutes.fill, ({ params, body }) => fill(host, params.name, body.typed.trim()));
}

async function list(host: Host): Promise<RouteAnswer<typeof commandRoutes.list>> {
  const { commands, problems } = listCommands(placesOf(host));
  const skills = await skillsOf(host);
  return {
    commands: [
      ...commands.map(({ name, description, arguments: names, source }) => ({
        ...{ kind: 'command' as const, name, description, arguments: names, source },
      })),
      ...skills
        .filter(({ name }) => !commands.some((command) => command.name === name))
        .map(({ name, description, source }) => ({
          ...{ kind: 'skill' as const, name, description, arguments: [], source },
        })),
    ],
    problems,
  };
}

async function fill(host: Host, name: string, rest: string): Promise<RouteAnswer<typeof commandRoutes.fill>> {
  const command = listCommands(placesOf(host)).commands.find((command) => command.name === name);
  if (command !== undefined) {
    const { source, path, model, profile } = command;
    const text = typedCommand(command, rest);
    // A workspace's command may not choose the model or the role of its turn.
    if (source === 'workspace') return { text, from: path };
    return { text, ...(model && { model }), ...(profile && { profile }) };
  }
  if ((await skillsOf(host)).some((skill) => skill.name === name))
    return { text: `Use the skill ${name}.${rest === '' ? '' : `\n\n${rest}`}` };
  if (name === 'init') return { text: rest === '' ? initPrompt : `${initPrompt}\n\n${rest}` };
  const quoted = JSON.stringify(name.slice(0, 100));
  throw new ToolError(
    'FILE_NOT_FOUND',
    `There is no command ${quoted}. GET ${commandRoutes.list.path} lists them.`,
  );
}

function placesOf({ home, workspace }: Host): { home: string; root: string } {
  return { home, root: workspace.root.real };
}

// No session can have this name, so no session rule applies before there is a session.
function skillsOf(host: Host) {
  return availableSkills(host, { session: '-look', profile: defaultProfile });
}
