// All routes of the gateway, area by area.
import { approvalRoutes } from './approvals.ts';
import { auditRoutes } from './audit.ts';
import { changeRoutes } from './changes.ts';
import { conversationRoutes } from './conversation.ts';
import { fileRoutes } from './files.ts';
import { gatewayRoutes } from './gateway.ts';
import { pluginRoutes } from './plugin.ts';
import { policyRoutes } from './policy.ts';
import { processRoutes } from './processes.ts';
import type { Route } from './route.ts';
import { kodeRoutes, mcpRoutes, modelRoutes } from './services.ts';
import { sessionRoutes } from './sessions.ts';
import { settingRoutes } from './settings.ts';
import { usageRoutes } from './usage.ts';
import { webRoutes } from './web.ts';

/** The names are the tags of `/openapi.json`. */
export const routeTable: Readonly<Record<string, readonly Route[]>> = {
  sessions: Object.values(sessionRoutes),
  conversation: Object.values(conversationRoutes),
  approvals: Object.values(approvalRoutes),
  audit: Object.values(auditRoutes),
  changes: Object.values(changeRoutes),
  files: Object.values(fileRoutes),
  policy: Object.values(policyRoutes),
  processes: Object.values(processRoutes),
  settings: Object.values(settingRoutes),
  usage: Object.values(usageRoutes),
  gateway: Object.values(gatewayRoutes),
  web: Object.values(webRoutes),
  plugin: Object.values(pluginRoutes),
  kode: Object.values(kodeRoutes),
  models: Object.values(modelRoutes),
  mcp: Object.values(mcpRoutes),
};
