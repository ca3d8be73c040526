// All routes of the gateway, area by area.

import { fillPath, type Route } from './route.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { auditRoutes, usageRoutes } from './routes/audit.ts';
import { changeRoutes } from './routes/changes.ts';
import { conversationRoutes } from './routes/conversation.ts';
import { fileRoutes, worktreeRoutes } from './routes/files.ts';
import { commandRoutes, gatewayRoutes } from './routes/gateway.ts';
import { pluginRoutes } from './routes/plugin.ts';
import { policyRoutes } from './routes/policy.ts';
import { processRoutes, terminalRoutes } from './routes/processes.ts';
import { reviewRoutes } from './routes/review.ts';
import { kodeRoutes, mcpRoutes, modelRoutes } from './routes/services.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { settingRoutes } from './routes/settings.ts';
import { screenRoutes, webRoutes } from './routes/web.ts';

/** The names are the tags of `/openapi.json`. */
export const routeTable: Readonly<Record<string, readonly Route[]>> = {
  sessions: Object.values(sessionRoutes),
  conversation: Object.values(conversationRoutes),
  commands: Object.values(commandRoutes),
  approvals: Object.values(approvalRoutes),
  audit: Object.values(auditRoutes),
  changes: Object.values(changeRoutes),
  review: Object.values(reviewRoutes),
  worktrees: Object.values(worktreeRoutes),
  screen: Object.values(screenRoutes),
  files: Object.values(fileRoutes),
  policy: Object.values(policyRoutes),
  processes: Object.values(processRoutes),
  terminals: Object.values(terminalRoutes),
  settings: Object.values(settingRoutes),
  usage: Object.values(usageRoutes),
  gateway: Object.values(gatewayRoutes),
  web: Object.values(webRoutes),
  plugin: Object.values(pluginRoutes),
  kode: Object.values(kodeRoutes),
  models: Object.values(modelRoutes),
  mcp: Object.values(mcpRoutes),
};

/** The WebSocket path of a session. The query names the wire, the role and the position in the log. */
export function socketPath(session: string): string {
  return fillPath('/ws/{session}', { session });
}
