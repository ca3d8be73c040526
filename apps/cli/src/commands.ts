// Every command, loaded only when it is used. To add one: its file in commands/ (or commands/<group>/) and a line here.
import type { CliCommand } from './command-line/define-command.ts';

export type CommandEntry = { summary: string; load(): Promise<CliCommand> };

export const cliCommands: Record<string, CommandEntry> = {
  chat: {
    summary: 'chat with an agent (same as `codelab` alone)',
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  demo: {
    summary: 'a one-minute guided tour',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  init: {
    summary: 'have an agent write AGENTS.md for this project',
    load: async () => (await import('./commands/init.ts')).init,
  },
  run: {
    summary: 'run one agent turn and exit',
    load: async () => (await import('./commands/run.ts')).run,
  },
  tool: {
    summary: 'run one tool call',
    load: async () => (await import('./commands/tool.ts')).tool,
  },
  serve: {
    summary: 'start the gateway: HTTP, WebSockets and the web IDE',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  'sign-in': {
    summary: 'print a one-time sign-in link for the web IDE',
    load: async () => (await import('./commands/sign-in.ts')).signIn,
  },
  connect: {
    summary: 'let a remote gateway work in this workspace',
    load: async () => (await import('./commands/connect.ts')).connect,
  },
  mcp: {
    summary: 'serve CodeLab’s tools to MCP clients',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  'model list': {
    summary: 'list available models',
    load: async () => (await import('./commands/model/model.ts')).modelList,
  },
  'model use': {
    summary: 'set the default model',
    load: async () => (await import('./commands/model/model.ts')).modelUse,
  },
  'model pick': {
    summary: 'choose the default model from a list',
    load: async () => (await import('./commands/model/model.ts')).modelPick,
  },
  'model test': {
    summary: 'check that a model answers, streams and calls tools',
    load: async () => (await import('./commands/model/test.ts')).modelTest,
  },
  'model add': {
    summary: 'add a provider or its API key',
    load: async () => (await import('./commands/model/add.ts')).modelAdd,
  },
  'model remove': {
    summary: 'remove a provider’s key and settings',
    load: async () => (await import('./commands/model/model.ts')).modelRemove,
  },
  tools: {
    summary: 'list tools and their schemas',
    load: async () => (await import('./commands/tools.ts')).tools,
  },
  review: {
    summary: 'review changes: keep or discard by hunk, comment, commit',
    load: async () => (await import('./commands/review.ts')).review,
  },
  undo: {
    summary: 'undo the latest changes',
    load: async () => (await import('./commands/undo.ts')).undoCommand,
  },
  redo: {
    summary: 'redo the last undo',
    load: async () => (await import('./commands/undo.ts')).redoCommand,
  },
  'held list': {
    summary: 'list files held back after unapproved commands',
    load: async () => (await import('./commands/held/list.ts')).heldList,
  },
  'held restore': {
    summary: 'restore files that were held back',
    load: async () => (await import('./commands/held/restore.ts')).heldRestore,
  },
  'policy check': {
    summary: 'check what policy says about a call',
    load: async () => (await import('./commands/policy/check.ts')).policyCheck,
  },
  'policy explain': {
    summary: 'explain what policy says about a command line',
    load: async () => (await import('./commands/policy/explain.ts')).policyExplain,
  },
  'policy list': {
    summary: 'list the rules in force',
    load: async () => (await import('./commands/policy/list.ts')).policyList,
  },
  'policy add': {
    summary: 'add a rule',
    load: async () => (await import('./commands/policy/add.ts')).policyAdd,
  },
  'policy remove': {
    summary: 'remove a rule',
    load: async () => (await import('./commands/policy/remove.ts')).policyRemove,
  },
  'policy trust': {
    summary: 'trust this workspace’s configuration and instructions',
    load: async () => (await import('./commands/policy/trust.ts')).policyTrust,
  },
  'policy untrust': {
    summary: 'stop trusting this workspace’s configuration',
    load: async () => (await import('./commands/policy/trust.ts')).policyUntrust,
  },
  'audit show': {
    summary: 'show calls, decisions and changes',
    load: async () => (await import('./commands/audit/show.ts')).auditShow,
  },
  'audit verify': {
    summary: 'verify that the record is complete and unchanged',
    load: async () => (await import('./commands/audit/verify.ts')).auditVerify,
  },
  'audit export': {
    summary: 'print the record as JSON lines',
    load: async () => (await import('./commands/audit/export.ts')).auditExport,
  },
  'log copy': {
    summary: 'copy sessions from one log to another',
    load: async () => (await import('./commands/log-copy.ts')).logCopy,
  },
  'sessions list': {
    summary: 'list sessions of this workspace',
    load: async () => (await import('./commands/sessions/list.ts')).sessionsList,
  },
  'sessions show': {
    summary: 'show a session: its calls and pending approvals',
    load: async () => (await import('./commands/sessions/show.ts')).sessionsShow,
  },
  'sessions resume': {
    summary: 'continue a session, including an interrupted turn',
    load: async () => (await import('./commands/sessions/resume.ts')).sessionsResume,
  },
  'sessions fork': {
    summary: 'start a new session from the conversation of another',
    load: async () => (await import('./commands/sessions/fork.ts')).sessionsFork,
  },
  'sessions settle': {
    summary: 'end calls whose process no longer exists',
    load: async () => (await import('./commands/sessions/settle.ts')).sessionsSettle,
  },
  'sessions delete': {
    summary: 'delete a session',
    load: async () => (await import('./commands/sessions/delete.ts')).sessionsDelete,
  },
  'worktrees list': {
    summary: 'list git worktrees of sessions and their state',
    load: async () => (await import('./commands/worktrees/worktrees.ts')).worktreesList,
  },
  'worktrees merge': {
    summary: 'merge a worktree into the workspace’s branch',
    load: async () => (await import('./commands/worktrees/worktrees.ts')).worktreesMerge,
  },
  'worktrees drop': {
    summary: 'remove a worktree',
    load: async () => (await import('./commands/worktrees/worktrees.ts')).worktreesDrop,
  },
  'approvals list': {
    summary: 'list pending approvals',
    load: async () => (await import('./commands/approvals/list.ts')).approvalsList,
  },
  'approvals watch': {
    summary: 'watch approvals as they arrive',
    load: async () => (await import('./commands/approvals/watch.ts')).approvalsWatch,
  },
  'approvals approve': {
    summary: 'approve a pending call from any terminal',
    load: async () => (await import('./commands/approvals/approve.ts')).approvalsApprove,
  },
  'approvals reject': {
    summary: 'reject a pending call',
    load: async () => (await import('./commands/approvals/reject.ts')).approvalsReject,
  },
  'config list': {
    summary: 'list settings and where each comes from',
    load: async () => (await import('./commands/config/show.ts')).configList,
  },
  'config get': {
    summary: 'print the value of a setting',
    load: async () => (await import('./commands/config/show.ts')).configGet,
  },
  'config set': {
    summary: 'change a setting',
    load: async () => (await import('./commands/config/change.ts')).configSet,
  },
  'config unset': {
    summary: 'remove a setting',
    load: async () => (await import('./commands/config/change.ts')).configUnset,
  },
  'config edit': {
    summary: 'open the configuration in your editor',
    load: async () => (await import('./commands/config/change.ts')).configEdit,
  },
  'config path': {
    summary: 'print the paths of the configuration files',
    load: async () => (await import('./commands/config/show.ts')).configPath,
  },
  completion: {
    summary: 'print shell completions for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  doctor: {
    summary: 'check the installation and suggest fixes',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
};

/** The default command of a group. */
export const defaults: Record<string, string> = {
  model: 'model list',
  held: 'held list',
  policy: 'policy list',
  audit: 'audit show',
  sessions: 'sessions list',
  worktrees: 'worktrees list',
  approvals: 'approvals list',
  config: 'config list',
};

/** Planned commands that do not exist yet. */
export const later: readonly string[] = ['acp'];
