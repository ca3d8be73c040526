export type { GatewaySettings, Session, ToolRecord } from '@codelab/api';
export { listedPrograms as COMMAND_WHITELIST } from '@codelab/protocol';
export { policyCalls, settingCalls, usageCalls } from './api/control-calls.ts';
export { checkAnswer, createRequester, newId } from './api/requester.ts';
export {
  approvalCalls,
  auditCalls,
  gatewayCalls,
  participationCalls,
  screenCalls,
  sessionCalls,
} from './api/session-calls.ts';
export type { ToolResult } from './api/tool-calls.ts';
export {
  changeCalls,
  fileCalls,
  processCalls,
  reviewCalls,
  terminalCalls,
  worktreeCalls,
} from './api/workspace-calls.ts';
export { ApiError } from './api-error.ts';
export { type ApiOptions, CodeLabAPI } from './code-lab-api.ts';
export type { AnyFrame, Frames, Signal, StreamWire } from './stream/frames.ts';
export type { StreamOptions, StreamState } from './stream/stream-options.ts';
export { SessionStream, StreamingClient } from './streaming-client.ts';
export type { TokenRequest, TokenSource } from './token-source.ts';
export type { AskUser, UserDecision } from './tools/approval-dialogs.ts';
export type { ExecutionStore } from './tools/execution-store.ts';
export {
  defaultToolConfig,
  type ToolConfig,
  type ToolExecution,
  type ToolHandlerOptions,
} from './tools/tool-config.ts';
export {
  ApprovalDeniedError,
  CommandExecutionError,
  errorOf,
  FileOperationError,
  PathValidationError,
  requireSuccess,
  TimeoutError,
} from './tools/tool-errors.ts';
export type { ToolApprovalRequest, ToolExecutionSignal } from './tools/tool-events.ts';
export { ToolHandler } from './tools/tool-handler.ts';
export type { HistoryEntry } from './tools/tool-history.ts';
