export { type AnswerProblem, ErrorAnswer, parseAnswer, readRefusal } from './errors.ts';
export { describeApi } from './openapi.ts';
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
export { approvalRoutes, type PastCall, type ProposedRule, type RuleBreadth } from './routes/approvals.ts';
export {
  auditRoutes,
  type DayUsage,
  type SessionProof,
  type SessionUsage,
  type TurnUsage,
  type UsageReport,
  type UsageSum,
  usageRoutes,
  type WaitTimes,
} from './routes/audit.ts';
export {
  type CallDiff,
  type ChangedCall,
  type ChangedFile,
  type ChangeState,
  type ChangeTurn,
  changeRoutes,
  type FileDiff,
  type TrashEntry,
  type UndoResult,
} from './routes/changes.ts';
export {
  type ContextUse,
  conversationRoutes,
  type PinnedFile,
  type QueueEntry,
} from './routes/conversation.ts';
export {
  type FileMark,
  type FolderEntry,
  fileRoutes,
  type SaveResult,
  type SearchMatch,
  type TextFile,
  type WorktreeDrop,
  type WorktreeMerge,
  type WorktreeView,
  worktreeRoutes,
} from './routes/files.ts';
export {
  type AgentRole,
  commandRoutes,
  gatewayRoutes,
  type SlashCommand,
  type ToolEntry,
} from './routes/gateway.ts';
export { pluginRoutes, ToolRecord } from './routes/plugin.ts';
export type { ChatMessage } from './routes/plugin-chats.ts';
export { type ListedRule, type PolicyOverview, type PolicyVerdict, policyRoutes } from './routes/policy.ts';
export {
  type CommandOutputPart,
  type ProcessEntry,
  type ProcessOutput,
  processRoutes,
  type RunningCommandEntry,
  type TerminalOutput,
  type TerminalView,
  terminalRoutes,
} from './routes/processes.ts';
export {
  type DiscardResult,
  type ReviewComment,
  type ReviewDraftBody,
  type ReviewFile,
  reviewRoutes,
  type SessionReview,
} from './routes/review.ts';
export {
  CompletionEnvelope,
  type CompletionMessage,
  CompletionRequest,
  type KodeRequest,
  kodeRoutes,
  mcpRoutes,
  modelRoutes,
} from './routes/services.ts';
export {
  type HistoryMessage,
  type SearchHit,
  Session,
  type SessionChange,
  sessionRoutes,
} from './routes/sessions.ts';
export {
  type GatewaySettings,
  type ModelName,
  type ModelProvider,
  type ProviderTrial,
  type SettingsChange,
  settingRoutes,
} from './routes/settings.ts';
export { screenRoutes, webRoutes } from './routes/web.ts';
export type { RuleScope } from './shared.ts';
export { routeTable, socketPath } from './table.ts';
