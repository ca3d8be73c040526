export { explainCommand } from './commands/explain-command.ts';
export { expire, pendingApprovals } from './core/approvals.ts';
export { answerApproval } from './core/ask-human.ts';
export { declareDead, recover } from './core/call-owner.ts';
export {
  completed,
  endedBadly,
  finishCall,
  recordRefusal,
} from './core/finish-call.ts';
export { createHost, type Host, type HostOptions, type ToolDecorator } from './core/host.ts';
export type { RunningCommand } from './core/live-calls.ts';
export type { LiveSession } from './core/live-session.ts';
export { listForeign } from './core/plan-call.ts';
export { createRegistry, type Definition, inputSchema, type Registry } from './core/registry.ts';
export { type Answer, runAnswered, runConsented } from './core/run-answered.ts';
export { inspect, readUnrecorded, runCall } from './core/run-call.ts';
export { gitState } from './git/git-state.ts';
export { mustGit, runGit } from './git/run-git.ts';
export { findHeld, type HeldCall } from './held-back/find-held.ts';
export { beginInTurns, useWriteAhead } from './platform/database-lock.ts';
export { digest, digestJson, randomId, sha256 } from './platform/digest.ts';
export { isAlive, thisProcess } from './platform/process-identity.ts';
export { createPauses, runInTurns, runNow } from './platform/steps.ts';
export { hasProc, watchFolder } from './platform/system.ts';
export { systemWays } from './platform/system-ways.ts';
export { builtInRules } from './policy/built-in-rules.ts';
export { definitionPath, proveRule, ruleMatches } from './policy/match-rule.ts';
export { type PastMatch, pastMatches } from './policy/past-matches.ts';
export { proposeRule } from './policy/propose-rule.ts';
export { createRuleBook, type RuleBook, type RuleSource } from './policy/rule-book.ts';
export { cleanOutput } from './process/capture-output.ts';
export { markerName } from './process/child-environment.ts';
export { childSessions, livingHosts } from './process/children.ts';
export { exitCode } from './process/exit-code.ts';
export { openPrograms } from './process/open-programs.ts';
export type { Program, Programs } from './process/programs.ts';
export { removeOutputs } from './process/spill-file.ts';
export { sandboxAdvice, sandboxHere } from './sandbox/sandbox-here.ts';
export { type LaneState, type SchedulerLimits, schedulerLimits } from './scheduler/scheduler.ts';
export { findRipgrep } from './search/find-ripgrep.ts';
export { type Field, type FrontMatter, frontMatterFault, readFrontMatter } from './skills/front-matter.ts';
export {
  fillCommand,
  listCommands,
  listOwnCommands,
  type OwnCommand,
  typedCommand,
} from './skills/own-commands.ts';
export { isSkillName, listSkills, loadSkill, type Skill } from './skills/skill.ts';
export type { SandboxChoice, ToolSource } from './tool/define-tool.ts';
export { defineTool, type Tool } from './tool/define-tool.ts';
export {
  build,
  defaultProfile,
  mayStart,
  onlyBuild,
  type Profile,
  type ProfileSource,
  type Role,
  shows,
  unknownProfile,
} from './tool/profile.ts';
export { catalogue, toolSetVersion } from './tools/catalogue.ts';
export { outputPath } from './tools/read-output.ts';
export { type FileLines, tellLines } from './tools/tell-lines.ts';
export type { Todo } from './tools/todo-list.ts';
export { latestTodos, tellTodos } from './tools/todo-list.ts';
export { diffEffects, shownEffects } from './undo/diff-effects.ts';
export type { Changed } from './undo/find-changes.ts';
export { type ChangeIndex, type Deletion, indexChanges } from './undo/index-changes.ts';
export { previewUndo } from './undo/preview-undo.ts';
export { type BlobStore, createBlobStore } from './workspace/blob-store.ts';
export { openCommitLock } from './workspace/commit-lock.ts';
export { identity } from './workspace/directory.ts';
export { limitFault } from './workspace/fault.ts';
export { relativePath } from './workspace/paths.ts';
export { hasItem } from './workspace/quarantine.ts';
export { readBytes } from './workspace/read-bytes.ts';
export { checkRoot, keyFolder, makeKeyFolder, openStateFolder } from './workspace/state-folder.ts';
export { readText, readWorkspaceText } from './workspace/text-files.ts';
export { maxUnsavedBytes } from './workspace/unsaved-text.ts';
export { Workspace } from './workspace/workspace.ts';
