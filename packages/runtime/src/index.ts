export { explainCommand } from './commands/explain-command.ts';
export { answerApproval } from './core/answer-approval.ts';
export { expire, pendingApprovals } from './core/approvals.ts';
export { checkRoot } from './core/check-root.ts';
export {
  completed,
  endedBadly,
  finishCall,
  recordRefusal,
} from './core/finish-call.ts';
export { createHost, type Host, type HostOptions, type ToolDecorator } from './core/host.ts';
export type { LiveSession } from './core/live-session.ts';
export { listForeign } from './core/parse-call.ts';
export { declareDead, recover } from './core/recover.ts';
export { createRegistry, type Definition, inputSchema, type Registry } from './core/registry.ts';
export { type Answer, runAnswered, runConsented } from './core/run-answered.ts';
export { inspect, readUnrecorded, runCall } from './core/run-call.ts';
export type { RunningCommand } from './core/running-commands.ts';
export { frontMatterFault } from './front-matter/front-matter-fault.ts';
export { type Field, type FrontMatter, readFrontMatter } from './front-matter/read-front-matter.ts';
export { mustGit, runGit } from './git/run-git.ts';
export { findHeld, type HeldCall } from './held-back/find-held.ts';
export { digest, digestJson } from './platform/digest.ts';
export { isAlive, thisProcess } from './platform/process-identity.ts';
export { randomId } from './platform/random-id.ts';
export { sha256 } from './platform/sha256.ts';
export { createPauses, runInTurns, runNow } from './platform/steps.ts';
export { useWriteAhead } from './platform/use-write-ahead.ts';
export { beginInTurns } from './platform/wait-for-lock.ts';
export { builtInRules } from './policy/built-in-rules.ts';
export { definitionPath } from './policy/definition-of.ts';
export { type PastMatch, pastMatches } from './policy/past-matches.ts';
export type { PolicyMode } from './policy/policy.ts';
export { proposeRule } from './policy/propose-rule.ts';
export { proveRule } from './policy/prove-rule.ts';
export { createRuleBook, type RuleBook, type RuleSource } from './policy/rule-book.ts';
export { ruleMatches } from './policy/rule-matches.ts';
export { markerName } from './process/child-environment.ts';
export { childSessions } from './process/children.ts';
export { cleanOutput } from './process/clean-output.ts';
export { exitCode } from './process/exit-code.ts';
export { openPrograms } from './process/open-programs.ts';
export type { Program, Programs } from './process/programs.ts';
export { livingHosts } from './process/reap-orphans.ts';
export { sandboxAdvice, sandboxHere } from './sandbox/sandbox-here.ts';
export { type LaneState, type SchedulerLimits, schedulerLimits } from './scheduler/scheduler.ts';
export { findRipgrep } from './search/find-ripgrep.ts';
export { listSkills } from './skills/list-skills.ts';
export { loadSkill } from './skills/load-skill.ts';
export { fillCommand, listOwnCommands } from './skills/own-commands.ts';
export { isSkillName, type Skill } from './skills/skill.ts';
export { latestTodos } from './todos/latest-todos.ts';
export type { Todo } from './todos/todo.ts';
export { defineTool, type Tool } from './tool/define-tool.ts';
export { mayStart } from './tool/may-start.ts';
export {
  build,
  defaultProfile,
  type Profile,
  type ProfileSource,
  type Role,
  unknownProfile,
} from './tool/profile.ts';
export type { SandboxChoice } from './tool/sandbox-choice.ts';
export { shows } from './tool/shows.ts';
export type { ToolSource } from './tool/tool-source.ts';
export { catalogue, toolSetVersion } from './tools/catalogue.ts';
export { diffEffects, shownEffects } from './undo/diff-effects.ts';
export type { Changed } from './undo/find-changes.ts';
export { type ChangeIndex, type Deletion, indexChanges } from './undo/index-changes.ts';
export { previewUndo } from './undo/preview-undo.ts';
export { type BlobStore, createBlobStore } from './workspace/blob-store.ts';
export { openCommitLock } from './workspace/commit-lock.ts';
export { limitFault } from './workspace/fault.ts';
export { identity } from './workspace/identity.ts';
export { keyFolder, makeKeyFolder } from './workspace/key-folder.ts';
export { hasItem } from './workspace/quarantine.ts';
export { readText, readWorkspaceText } from './workspace/read-workspace-text.ts';
export { relativePath } from './workspace/relative-path.ts';
export { openStateFolder } from './workspace/state-folder.ts';
export { Workspace } from './workspace/workspace.ts';
