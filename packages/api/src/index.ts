export { approvalRoutes, type PastCall, type ProposedRule } from './approvals.ts';
export { auditRoutes, type Proof } from './audit.ts';
export {
  type CallDiff,
  type ChangeCall,
  type ChangedFile,
  type ChangeState,
  type ChangeTurn,
  changeRoutes,
  type FileDiff,
  type TrashEntry,
  type UndoResult,
} from './changes.ts';
export { type Context, conversationRoutes, type PinnedFile } from './conversation.ts';
export { ErrorAnswer, readRefusal } from './errors.ts';
export { type FolderEntry, fileRoutes, type SavedFile, type TextFile } from './files.ts';
export { type AgentRole, gatewayRoutes, type ToolEntry } from './gateway.ts';
export { describeApi } from './openapi.ts';
export { pluginRoutes, ToolRecord } from './plugin.ts';
export type { ChatMessage } from './plugin-chats.ts';
export { type ListedRule, type Policy, type PolicyVerdict, policyRoutes } from './policy.ts';
export {
  type CommandOutput,
  type ProcessEntry,
  type ProcessOutput,
  processRoutes,
  type RunningCommand,
} from './processes.ts';
export { type AnswerProblem, readAnswer } from './read-answer.ts';
export {
  fillPath,
  type Method,
  pathOf,
  type Route,
  type RouteAnswer,
  type RouteBody,
  type RouteParams,
  type RouteQuery,
  type SentBody,
  type SentQuery,
} from './route.ts';
export {
  CompletionEnvelope,
  type CompletionMessage,
  CompletionRequest,
  type KodeRequest,
  kodeRoutes,
  mcpRoutes,
  modelRoutes,
} from './services.ts';
export { type HistoryMessage, Session, sessionRoutes } from './sessions.ts';
export {
  type ModelName,
  type ModelProvider,
  type ProviderTrial,
  type Settings,
  type SettingsChange,
  settingRoutes,
} from './settings.ts';
export type { RuleScope } from './shared.ts';
export { socketPath } from './socket.ts';
export { routeTable } from './table.ts';
export {
  type UsageReport,
  type Used,
  type UsedDay,
  type UsedSession,
  usageRoutes,
  type Waits,
} from './usage.ts';
export { webRoutes } from './web.ts';
