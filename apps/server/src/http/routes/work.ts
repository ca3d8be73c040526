// What the agent's work left behind, for people to look at and to correct: changes, trash, processes, the record, usage and rules.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { openChanges } from '../changes/open-changes.ts';
import { approvalRuleRoutes } from './approval-rules.ts';
import { auditRoutes } from './audit.ts';
import { changeRoutes } from './changes.ts';
import { policyRoutes } from './policy-rules.ts';
import { processRoutes } from './processes.ts';
import { runningCallRoutes } from './running-calls.ts';
import { trashRoutes } from './trash.ts';
import { usageRoutes } from './usage.ts';

export function workRoutes(app: FastifyInstance, gateway: Gateway): void {
  const changes = openChanges(gateway.host);
  changeRoutes(app, gateway, changes);
  trashRoutes(app, gateway, changes);
  processRoutes(app, gateway);
  runningCallRoutes(app, gateway);
  auditRoutes(app, gateway);
  usageRoutes(app, gateway);
  approvalRuleRoutes(app, gateway);
  policyRoutes(app, gateway);
}
