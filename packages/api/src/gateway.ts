// The gateway itself: whether it works, its counters, its description, and the roles and tools it has.
import { AgentStatus, Kind } from '@codelab/protocol';
import * as z from 'zod/mini';
import { route } from './route.ts';
import { json, lazily, time } from './shared.ts';

const Health = lazily(() =>
  z.strictObject({
    status: z.enum(['ok', 'unhealthy']),
    service: z.string(),
    uptime: z.number(),
    timestamp: time(),
    checks: z.strictObject({ log: z.enum(['ok', 'failing']) }),
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
    input: json(),
    /** A human can take some hunks of what it would change. */
    takes_hunks: z.optional(z.literal(true)),
  }),
);
export type ToolEntry = z.infer<ReturnType<typeof ToolEntry>>;

export const gatewayRoutes = {
  live: route({
    id: 'getLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the process answers',
    answer: lazily(() => z.strictObject({ status: z.literal('ok') })),
    isOpen: true,
  }),
  health: route({
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    also: ['/health/ready', '/api/v1/health'],
    summary: 'Whether the gateway can work; 503 when not',
    answer: Health,
    others: { 503: Health },
    isOpen: true,
  }),
  metrics: route({
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Counters in Prometheus’ text form',
    media: ['text/plain'],
  }),
  describe: route({
    id: 'getDescription',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    answer: lazily(() => z.looseObject({ openapi: z.string() })),
  }),
  agents: route({
    id: 'listAgents',
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'The roles there are to talk to',
    answer: lazily(() => z.strictObject({ agents: z.array(AgentRole()), default: z.string() })),
  }),
  currentAgent: route({
    id: 'getCurrentAgent',
    method: 'GET',
    path: '/api/v1/agents/{id}/current',
    summary: 'The role of a session, and what it does now',
    answer: lazily(() =>
      z.strictObject({ session_id: z.string(), agent_type: z.string(), status: AgentStatus() }),
    ),
  }),
  tools: route({
    id: 'listTools',
    method: 'GET',
    path: '/api/v1/tools',
    summary: 'The tools of a role, as a dialect names them',
    query: () => z.object({ profile: z.optional(z.string()), dialect: z._default(z.string(), 'codelab') }),
    answer: lazily(() => z.strictObject({ version: z.string(), tools: z.array(ToolEntry()) })),
  }),
};
