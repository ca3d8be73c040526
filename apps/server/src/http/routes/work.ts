// Routes for inspecting and correcting the agent's work: changes, deleted files, processes, the record, usage and rules.
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import type { PersonTerminals } from '../../terminals/terminals.ts';
import { openChanges } from '../changes/open-changes.ts';
import type { ModelSettings } from '../settings/model-settings.ts';
import { serveApprovalRules } from './approval-rules.ts';
import { serveAudit } from './audit.ts';
import { serveChanges, serveTrash } from './changes.ts';
import { servePolicy } from './policy-rules.ts';
import { serveProcesses, serveRunningCalls } from './processes.ts';
import { serveReview } from './review.ts';
import { serveUsage } from './usage.ts';
import { serveTerminals } from './web/terminals.ts';

type WorkOptions = { settings: ModelSettings; terminals?: PersonTerminals | undefined };

export function serveWork(
  app: FastifyInstance,
  gateway: Gateway,
  { settings, terminals }: WorkOptions,
): void {
  const changes = openChanges(gateway.host);
  serveChanges(app, gateway, changes);
  serveReview(app, gateway);
  serveTrash(app, gateway, changes);
  serveProcesses(app, gateway);
  serveRunningCalls(app, gateway);
  if (terminals !== undefined) serveTerminals(app, gateway, terminals);
  serveAudit(app, gateway);
  serveUsage(app, gateway, settings);
  serveApprovalRules(app, gateway);
  servePolicy(app, gateway);
}
