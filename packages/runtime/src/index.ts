export { explainCommand } from './commands/explain-command.ts';
export { expire, expireUnanswered, pendingApprovals, waitsForAnswer } from './core/approvals.ts';
export { answerApproval } from './core/ask-human.ts';
export type { AnswerApproval } from './core/call-run.ts';
export { createHost, type Host, type HostOptions, type ToolDecorator } from './core/host.ts';
export { type HostAtOptions, hostAt } from './core/host-at.ts';
export { inspect, planOnly, readUnrecorded, runConsented, tellNewDiagnostics } from './core/other-ways.ts';
export { listForeign } from './core/plan-call.ts';
export { declareDead, recover, recoverSession } from './core/recovery/call-owner.ts';
export { createRegistry, inputSchema, type Registry, type ToolDefinition } from './core/registry.ts';
export {
  completed,
  endedBadly,
  finishCall,
  recordRefusal,
} from './core/run-and-record.ts';
export { runCall } from './core/run-call.ts';
export type { RunningCommand } from './core/session/live-calls.ts';
export type { LiveSession } from './core/session/live-session.ts';
export { commitAll, mergeBranch } from './git/merge.ts';
export { readHead } from './git/read/read-head.ts';
export { tryReadStatus } from './git/read/read-status.ts';
export { mustGit, runGit } from './git/run-git.ts';
export { takeTurns } from './git/run-program.ts';
export {
  addWorktree,
  deleteBranch,
  forgetWorktree,
  hasBranch,
  isWorktree,
  readWorktree,
  removeWorktree,
  type WorktreeState,
} from './git/worktrees.ts';
export { findHeld, type HeldCall } from './held-back/find-held.ts';
export { hasServer, listServers, missingNotices } from './lsp/server/installed.ts';
export type { LspSettings } from './lsp/server/lsp-settings.ts';
export type { FilePatch } from './patch/file-patch.ts';
export { formatPatch } from './patch/format-patch.ts';
export { hunksFrom, quotePath, splitAtLineFeeds } from './patch/unified-diff.ts';
export { beginInTurns, ensureFolder, isBusy, useWriteAhead } from './platform/database-lock.ts';
export { digest, digestJson, randomId, sha256 } from './platform/digest.ts';
export { createPauses, runInTurns, runNow } from './platform/steps.ts';
export { hasProc, isAlive, isSeenGone, thisProcess, userName, watchFolder } from './platform/system.ts';
export { systemWays } from './platform/system-ways.ts';
export { builtInRules } from './policy/built-in-rules.ts';
export { definitionPath, proveRule } from './policy/match-rule.ts';
export { proposeBreadth, proposeBreadths } from './policy/propose-breadth.ts';
export { proposeRule } from './policy/propose-rule.ts';
export { createRuleBook, type RuleBook, type RuleSource } from './policy/rule-book.ts';
export {
  breadthText,
  conditionPhrases,
  type PastMatch,
  pastMatches,
  ruleMatches,
} from './policy/rule-text.ts';
export { cleanOutput } from './process/capture-output.ts';
export { markerName } from './process/child-environment.ts';
export { childSessions, livingHosts, reapOrphans } from './process/children.ts';
export { openPrograms } from './process/open-programs.ts';
export { neverPassed, passedEnvironment } from './process/passed-environment.ts';
export {
  openPersonTerminal,
  type PersonTerminal,
  personShell,
  type TerminalSize,
} from './process/person-terminal.ts';
export type { ChildProgram, ChildPrograms } from './process/programs.ts';
export { exitCode } from './process/spawn-child.ts';
export { removeOutputs } from './process/spill-file.ts';
export { readReviewDraft, type StoredReviewDraft, viewedMark, writeReviewDraft } from './review/draft.ts';
export { removeReview } from './review/keep-versions.ts';
export { proposeCommit } from './review/propose-commit.ts';
export { type ReviewedChanges, type ReviewedFile, readReview } from './review/review-files.ts';
export { betterSandbox, sandboxAdvice, sandboxHere, untracedReason } from './sandbox/sandbox-here.ts';
export { removeSessionTmp } from './sandbox/session-tmp.ts';
export type { LaneState } from './scheduler/scheduled-call.ts';
export { type SchedulerLimits, schedulerLimits } from './scheduler/scheduler.ts';
export { findRipgrep } from './search/find-ripgrep.ts';
export { type Field, type FrontMatter, frontMatterFault, readFrontMatter } from './skills/front-matter.ts';
export {
  fillCommand,
  type LoadedCommand,
  listCommands,
  listOwnCommands,
  typedCommand,
} from './skills/own-commands.ts';
export { isSkillName, listSkills, loadSkill, type Skill } from './skills/skill.ts';
export { notMadeAgain } from './snapshot/not-kept.ts';
export { defineTool, type SandboxChoice, type Tool, type ToolSource } from './tool/define-tool.ts';
export {
  buildProfile,
  defaultProfile,
  mayStartAgent,
  onlyBuildProfile,
  type Profile,
  type ProfileSource,
  type Role,
  showsTool,
  unknownProfile,
} from './tool/profile.ts';
export { catalogue, toolSetVersion } from './tools/catalogue.ts';
export { outputPath } from './tools/files/read-output.ts';
export { type FileLines, tellLines } from './tools/files/tell-lines.ts';
export { latestTodos, type Todo, tellTodos } from './tools/todo-list.ts';
export { diffEffects, shownEffects } from './undo/diff-effects.ts';
export type { CallChanges } from './undo/find-changes.ts';
export { type ChangeIndex, type Deletion, indexChanges } from './undo/index-changes.ts';
export { previewUndo } from './undo/preview-undo.ts';
export { type BlobStore, createBlobStore } from './workspace/blob-store.ts';
export { openCommitLock } from './workspace/commit/commit-lock.ts';
export { identity } from './workspace/directory.ts';
export { damageAdvice, damagedLog, fault, isDamage, limitFault, stateFault } from './workspace/fault.ts';
export { maxUnsavedBytes } from './workspace/file-checks.ts';
export { relativePath } from './workspace/paths.ts';
export { hasItem } from './workspace/quarantine/quarantine.ts';
export { readBytes } from './workspace/read-bytes.ts';
export { checkRoot, keyFolder, openStateFolder } from './workspace/state-folder.ts';
export { readBoundedText, readWorkspaceText, type TextChange } from './workspace/text-files.ts';
export { Workspace } from './workspace/workspace.ts';
