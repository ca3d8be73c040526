// What the agent's work left behind, for people to look at and to correct: changes, trash, processes, the record, usage and rules.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { openChanges } from '../changes/open-changes.ts';
import { serveApprovalRules } from './approval-rules.ts';
import { serveAudit } from './audit.ts';
import { serveChanges } from './changes.ts';
import { servePolicy } from './policy-rules.ts';
import { serveProcesses } from './processes.ts';
import { serveRunningCalls } from './running-calls.ts';
import { serveTrash } from './trash.ts';
import { serveUsage } from './usage.ts';

export function serveWork(app: FastifyInstance, gateway: Gateway): void {
  const changes = openChanges(gateway.host);
  serveChanges(app, gateway, changes);
  serveTrash(app, gateway, changes);
  serveProcesses(app, gateway);
  serveRunningCalls(app, gateway);
  serveAudit(app, gateway);
  serveUsage(app, gateway);
  serveApprovalRules(app, gateway);
  servePolicy(app, gateway);
}
