// Routes for inspecting and correcting the agent's work: changes, deleted files, processes, the record, usage and rules.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import type { PersonTerminals } from '../../terminals/terminals.ts';
import { openChanges } from '../changes/open-changes.ts';
import { serveApprovalRules } from './approval-rules.ts';
import { serveAudit } from './audit.ts';
import { serveChanges, serveTrash } from './changes.ts';
import { servePolicy } from './policy-rules.ts';
import { serveProcesses, serveRunningCalls } from './processes.ts';
import { serveReview } from './review.ts';
import { serveUsage } from './usage.ts';
import { serveTerminals } from './web/terminals.ts';

export function serveWork(app: FastifyInstance, gateway: Gateway, terminals?: PersonTerminals): void {
  const changes = openChanges(gateway.host);
  serveChanges(app, gateway, changes);
  serveReview(app, gateway);
  serveTrash(app, gateway, changes);
  serveProcesses(app, gateway);
  serveRunningCalls(app, gateway);
  if (terminals !== undefined) serveTerminals(app, gateway, terminals);
  serveAudit(app, gateway);
  serveUsage(app, gateway);
  serveApprovalRules(app, gateway);
  servePolicy(app, gateway);
}
