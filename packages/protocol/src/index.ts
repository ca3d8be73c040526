export { Actor, CallId, highestRisk, isCallId, Kind, Risk, SessionId, ToolCall } from './call.ts';
export { type CallState, nextCallState } from './call-state.ts';
export { cancellation, cancelledBy } from './cancellation.ts';
export { Command, CommandPart, Confinement, Execution, type Print } from './command.ts';
export { TurnEnd } from './conversation-event.ts';
export {
  ApprovalRequest,
  DecidedBy,
  Decision,
  type HunkChoice,
  HunkEdit,
  Remember,
  Scope,
} from './decision.ts';
export { commonLines, diffLines } from './diff/diff-lines.ts';
export type { LineChange } from './diff/match-lines.ts';
export { canSplit, splitHunk } from './diff/split-hunk.ts';
export {
  applyHunks,
  type DiffFile,
  type DiffHunk,
  hunkHeader,
  hunkSides,
  readDiff,
  writeDiff,
} from './diff/unified-diff.ts';
export {
  ErrorCode,
  errorCodes,
  errorTable,
  nextStep,
  pluginErrorName,
  readErrorCode,
  resourceLimit,
  ToolError,
} from './errors.ts';
export { EventBody, Executor, Owner, RecoveredFile, SessionEvent } from './event.ts';
export { ImagePart, imageLimits, imageType, imageTypes } from './image.ts';
export { DialectName, type Limits, limitProfiles } from './limits.ts';
export { type Misleading, misleading } from './misleading.ts';
export { nearestName } from './near-name.ts';
export { Effect, type EndedBadly, Failure, FileState, Outcome, Seen } from './outcome.ts';
export { leavesFolder, normalizePath } from './path-text.ts';
export { Access, BlastRadius, Diff, Plan, Question, Touch } from './plan.ts';
export { checkProgram, listedPrograms } from './program-list.ts';
export { type Effort, efforts, Reply, Usage, WantedCall } from './reply.ts';
export { choiceFault, chosenText, rewriteHunk } from './review/choose-hunks.ts';
export { hunkFieldText, hunkFromEditor, hunkFromField } from './review/edit-hunk.ts';
export {
  canSplitItem,
  countTaken,
  editItem,
  hunksOf,
  isFileTaken,
  type Review,
  type ReviewItem,
  restoreHunk,
  reviewDecision,
  setTaken,
  splitItem,
  startReview,
  toggleTaken,
} from './review/review.ts';
export { type PolicyMode, policyModes, RuleEffect } from './rule-effect.ts';
export { checkPlain, parseBounded, parseJson } from './safe-json.ts';
export { describeIssue } from './schema.ts';
export type {
  AppendOptions,
  ChangedAt,
  Damage,
  Head,
  ReadOptions,
  SessionLog,
  SessionSummary,
} from './session-log.ts';
export {
  AgentSignal,
  AgentStatus,
  NeutralMessage,
  type SessionInfo,
  type SessionMessage,
} from './session-message.ts';
export { statusOf } from './status-of.ts';
export { Rule, RuleExample, RuleLayer, Verdict } from './verdict.ts';
export { visible, visibleLine } from './visible.ts';
