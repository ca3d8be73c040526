// The gateway itself: its health, counters, description, roles and tools.
import { AgentStatus, Kind } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { jsonObject, lazily, time } from '../shared.ts';

const Health = lazily(() =>
  z.strictObject({
    status: z.enum(['ok', 'unhealthy']),
    service: z.string(),
    uptime: z.number(),
    timestamp: time(),
    /** `broker`: set when the log is on separate servers. */
    checks: z.strictObject({
      log: z.enum(['ok', 'failing']),
      broker: z.optional(z.enum(['ok', 'failing'])),
    }),
  }),
);

const AgentRole = lazily(() =>
  z.strictObject({ type: z.string(), name: z.string(), description: z.string() }),
);
export type AgentRole = z.infer<ReturnType<typeof AgentRole>>;

const ToolEntry = lazily(() =>
  z.strictObject({
    name: z.string(),
    kind: Kind(),
    summary: z.string(),
    /** A JSON Schema. */
    input: jsonObject(),
    /** A human can choose some hunks of the change. */
    takes_hunks: z.optional(z.literal(true)),
  }),
);
export type ToolEntry = z.infer<ReturnType<typeof ToolEntry>>;

export const gatewayRoutes = {
  live: defineRoute({
    id: 'getLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the process answers',
    answer: lazily(() => z.strictObject({ status: z.literal('ok') })),
    isOpen: true,
  }),
  health: defineRoute({
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    also: ['/health/ready', '/api/v1/health'],
    summary: 'Whether the gateway can work; 503 when not',
    answer: Health,
    others: { 503: Health },
    isOpen: true,
  }),
  metrics: defineRoute({
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Counters in Prometheus’ text form',
    media: ['text/plain'],
  }),
  describe: defineRoute({
    id: 'getDescription',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    answer: lazily(() => z.looseObject({ openapi: z.string() })),
  }),
  agents: defineRoute({
    id: 'listAgents',
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'The available roles',
    answer: lazily(() => z.strictObject({ agents: z.array(AgentRole()), default: z.string() })),
  }),
  currentAgent: defineRoute({
    id: 'getCurrentAgent',
    method: 'GET',
    path: '/api/v1/agents/{id}/current',
    summary: 'The role of a session, and what it does now',
    answer: lazily(() =>
      z.strictObject({ session_id: z.string(), agent_type: z.string(), status: AgentStatus() }),
    ),
  }),
  tools: defineRoute({
    id: 'listTools',
    method: 'GET',
    path: '/api/v1/tools',
    summary: 'The tools of a role, as a dialect names them',
    query: () => z.object({ profile: z.optional(z.string()), dialect: z._default(z.string(), 'codelab') }),
    answer: lazily(() => z.strictObject({ version: z.string(), tools: z.array(ToolEntry()) })),
  }),
};

/** Prompts that a person can send by name: own commands, commands of the workspace, and skills. */
const base = '/api/v1/commands';

const SlashCommand = lazily(() =>
  z.strictObject({
    kind: z.enum(['command', 'skill']),
    name: z.string(),
    description: z.string(),
    /** Names of the required arguments. */
    arguments: z.array(z.string()),
    source: z.enum(['user', 'workspace']),
  }),
);
export type SlashCommand = z.infer<ReturnType<typeof SlashCommand>>;

export const commandRoutes = {
  list: defineRoute({
    id: 'listCommands',
    method: 'GET',
    path: base,
    summary: 'Own commands and skills, and why some can’t be used',
    answer: lazily(() =>
      z.strictObject({ commands: z.array(SlashCommand()), problems: z.array(z.string()) }),
    ),
  }),
  fill: defineRoute({
    id: 'fillCommand',
    method: 'POST',
    path: `${base}/{name}`,
    summary: 'The message that a command expands to; nothing is sent',
    body: () => z.strictObject({ typed: z._default(z.string().check(z.maxLength(100_000)), '') }),
    answer: lazily(() =>
      z.strictObject({
        text: z.string(),
        /** The origin of the text, when it is not the user's own. */
        from: z.optional(z.string()),
        /** For an own command: the model of its turn. */
        model: z.optional(z.string()),
        profile: z.optional(z.string()),
      }),
    ),
  }),
};
