export {
  Actor,
  CallGroup,
  CallId,
  highestRisk,
  isCallId,
  Kind,
  type PolicyMode,
  policyModes,
  Risk,
  RuleEffect,
  SessionId,
  ToolCall,
} from './call.ts';
export { type CallPass, type CallState, hasExpired, nextCallState, passIn } from './call-state.ts';
export { Command, CommandPart, Confinement, Execution, type Print } from './command.ts';
export { TurnEnd } from './conversation/conversation-event.ts';
export { ImagePart, imageLimits, imageType, imageTypes } from './conversation/image.ts';
export { Delivery, MessageId } from './conversation/message-event.ts';
export { createMessageQueue, type MessageQueue, type QueuedMessage } from './conversation/message-queue.ts';
export { type Effort, efforts, Reply, Usage, WantedCall } from './conversation/reply.ts';
export {
  AgentSignal,
  AgentStatus,
  NeutralMessage,
  type SessionInfo,
  type SessionMessage,
} from './conversation/session-message.ts';
export {
  ApprovalRequest,
  Breadth,
  DecidedBy,
  Decision,
  type HunkChoice,
  HunkEdit,
  Remember,
  Rule,
  RuleExample,
  RuleLayer,
  Scope,
  Verdict,
  type WordsPattern,
} from './decision.ts';
export { commonLines, diffLines } from './diff/diff-lines.ts';
export type { LineChange } from './diff/match-lines.ts';
export { recountDiff } from './diff/recount-diff.ts';
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
  Unanswered,
} from './errors.ts';
export {
  EventBody,
  Executor,
  Owner,
  RecoveredFile,
  SessionEvent,
  type SessionWorktree,
  type TerminalEnd,
} from './event.ts';
export { checkPlain, describeIssue, lazily, parseBounded, parseJson } from './input.ts';
export { DialectName, type Limits, largestPosition, limitProfiles, longestTimerMs } from './limits.ts';
export {
  type CellAlign,
  type CodeFence,
  closesFence,
  readMarkdownLine,
  readTable,
  readTask,
} from './markdown/markdown-line.ts';
export { type MarkdownBlock, type MarkdownItem, parseMarkdownBlock } from './markdown/parse-block.ts';
export type { MarkdownInline } from './markdown/parse-inline.ts';
export { parseMarkdownInline } from './markdown/parse-inline.ts';
export { splitMarkdown } from './markdown/split-blocks.ts';
export {
  cancellation,
  cancelledBy,
  Effect,
  type EndedBadly,
  Failure,
  FileState,
  isLossNote,
  lossNote,
  lossNotes,
  notRecordedIn,
  Outcome,
  outsideCall,
  Seen,
  sandboxCause,
  sandboxCauses,
  statusOf,
} from './outcome.ts';
export {
  because,
  englishPhrases,
  englishText,
  fillPhrases,
  Phrase,
  type PhraseKey,
  type PhraseLanguage,
  type Phrases,
  phrase,
  phraseOf,
  reasonPhrases,
  spellTexts,
} from './phrases/phrase.ts';
export { Access, BlastRadius, Diff, Plan, type PlanDraft, Question, Touch } from './plan.ts';
export { checkProgram, listedPrograms } from './programs/program-list.ts';
export { choiceFault, chosenText, rewriteHunk } from './review/choose-hunks.ts';
export { countFiles, isFolderEffect, type ReviewTotals, reviewTotals } from './review/count-files.ts';
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
  reviewChoice,
  reviewDecision,
  setTaken,
  splitItem,
  startReview,
  toggleTaken,
} from './review/review.ts';
export { type LineComment, reviewMessage } from './review/review-message.ts';
export type {
  AppendOptions,
  ChangedAt,
  Damage,
  Head,
  HeadListener,
  LogServers,
  ReadOptions,
  SessionLog,
  SessionSummary,
  UnfinishedCall,
} from './session-log.ts';
export { nearestName } from './text/near-name.ts';
export { leavesFolder, normalizePath } from './text/path-text.ts';
export { failedTests } from './text/test-output/failed-tests.ts';
export { type FailedTest, withoutColours } from './text/test-output/output-text.ts';
export { type TestCounts, testCounts } from './text/test-output/test-counts.ts';
export { titleFrom } from './text/title-from.ts';
export { firstNames, type Misleading, misleading, visible, visibleLine } from './text/visible.ts';
