// Every command there is, each loaded only when it is asked for. Adding one: its file in commands/ and a line here.
import type { Command } from './command-line/define-command.ts';

export type CommandEntry = { summary: string; load(): Promise<Command> };

export const commands: Record<string, CommandEntry> = {
  chat: {
    summary: 'talk with an agent (`codelab` alone does the same)',
    load: async () => (await import('./commands/chat.ts')).chat,
  },
  demo: {
    summary: 'a guided tour in one minute: read, ask, decide, prove',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  init: {
    summary: 'let an agent write an AGENTS.md for this project',
    load: async () => (await import('./commands/init.ts')).init,
  },
  run: {
    summary: 'one turn of an agent, without a screen',
    load: async () => (await import('./commands/run.ts')).run,
  },
  tool: {
    summary: 'one tool call through the whole pipeline',
    load: async () => (await import('./commands/tool.ts')).tool,
  },
  serve: {
    summary: 'the gateway: sockets and HTTP over this workspace',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  'sign-in': {
    summary: 'a link that signs a browser in to the web IDE, once',
    load: async () => (await import('./commands/sign-in.ts')).signIn,
  },
  connect: {
    summary: 'carry out a remote gateway’s calls here',
    load: async () => (await import('./commands/connect.ts')).connect,
  },
  mcp: {
    summary: 'the tools for MCP clients, over stdio or HTTP',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  'model list': {
    summary: 'the models that can be used now',
    load: async () => (await import('./commands/model.ts')).modelList,
  },
  'model use': {
    summary: 'choose the model, and keep it',
    load: async () => (await import('./commands/model.ts')).modelUse,
  },
  'model pick': {
    summary: 'choose it from a list',
    load: async () => (await import('./commands/model.ts')).modelPick,
  },
  'model test': {
    summary: 'ask it a question: does it answer, stream, call a tool?',
    load: async () => (await import('./commands/model-test.ts')).modelTest,
  },
  'model add': {
    summary: 'give a provider’s key, or add one by its address',
    load: async () => (await import('./commands/model-add.ts')).modelAdd,
  },
  'model remove': {
    summary: 'forget a provider’s key and settings',
    load: async () => (await import('./commands/model.ts')).modelRemove,
  },
  tools: {
    summary: 'what tools there are, and their schemas',
    load: async () => (await import('./commands/tools.ts')).tools,
  },
  undo: {
    summary: 'take back the latest changes of files',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
  redo: {
    summary: 'bring again what was taken back',
    load: async () => (await import('./commands/redo.ts')).redo,
  },
  'held list': {
    summary: 'what was held back after commands that nobody was asked about',
    load: async () => (await import('./commands/held-list.ts')).heldList,
  },
  'held restore': {
    summary: 'bring it back',
    load: async () => (await import('./commands/held-restore.ts')).heldRestore,
  },
  'policy check': {
    summary: 'may this call run? which rule says so?',
    load: async () => (await import('./commands/policy-check.ts')).policyCheck,
  },
  'policy explain': {
    summary: 'the same for a command line',
    load: async () => (await import('./commands/policy-explain.ts')).policyExplain,
  },
  'policy list': {
    summary: 'all rules in force',
    load: async () => (await import('./commands/policy-list.ts')).policyList,
  },
  'policy add': {
    summary: 'keep a rule',
    load: async () => (await import('./commands/policy-add.ts')).policyAdd,
  },
  'policy remove': {
    summary: 'forget a rule',
    load: async () => (await import('./commands/policy-remove.ts')).policyRemove,
  },
  'policy trust': {
    summary: 'let this workspace’s own configuration count in full',
    load: async () => (await import('./commands/policy-trust.ts')).policyTrust,
  },
  'policy untrust': {
    summary: 'take that back',
    load: async () => (await import('./commands/policy-untrust.ts')).policyUntrust,
  },
  'audit show': {
    summary: 'who did what, who decided, what changed',
    load: async () => (await import('./commands/audit-show.ts')).auditShow,
  },
  'audit verify': {
    summary: 'prove that the record is whole',
    load: async () => (await import('./commands/audit-verify.ts')).auditVerify,
  },
  'audit export': {
    summary: 'the record as JSON lines',
    load: async () => (await import('./commands/audit-export.ts')).auditExport,
  },
  'sessions list': {
    summary: 'sessions of this workspace',
    load: async () => (await import('./commands/sessions-list.ts')).sessionsList,
  },
  'sessions show': {
    summary: 'one session: its calls and what waits',
    load: async () => (await import('./commands/sessions-show.ts')).sessionsShow,
  },
  'sessions resume': {
    summary: 'go on with a session, and with the turn that was left open',
    load: async () => (await import('./commands/sessions-resume.ts')).sessionsResume,
  },
  'sessions fork': {
    summary: 'a new session that begins with what was said in another',
    load: async () => (await import('./commands/sessions-fork.ts')).sessionsFork,
  },
  'sessions settle': {
    summary: 'end calls whose process is gone for good',
    load: async () => (await import('./commands/sessions-settle.ts')).sessionsSettle,
  },
  'sessions delete': {
    summary: 'forget a session',
    load: async () => (await import('./commands/sessions-delete.ts')).sessionsDelete,
  },
  'approvals list': {
    summary: 'what waits for a decision',
    load: async () => (await import('./commands/approvals-list.ts')).approvalsList,
  },
  'approvals watch': {
    summary: 'what is asked, as it is asked',
    load: async () => (await import('./commands/approvals-watch.ts')).approvalsWatch,
  },
  'approvals approve': {
    summary: 'say yes to what waits, from any terminal',
    load: async () => (await import('./commands/approvals-approve.ts')).approvalsApprove,
  },
  'approvals reject': {
    summary: 'say no',
    load: async () => (await import('./commands/approvals-reject.ts')).approvalsReject,
  },
  'config list': {
    summary: 'your settings, and where each comes from',
    load: async () => (await import('./commands/config.ts')).configList,
  },
  'config get': {
    summary: 'the value of one setting',
    load: async () => (await import('./commands/config.ts')).configGet,
  },
  'config set': {
    summary: 'change a setting',
    load: async () => (await import('./commands/config-change.ts')).configSet,
  },
  'config unset': {
    summary: 'remove a setting',
    load: async () => (await import('./commands/config-change.ts')).configUnset,
  },
  'config edit': {
    summary: 'open the configuration in your editor',
    load: async () => (await import('./commands/config-change.ts')).configEdit,
  },
  'config path': {
    summary: 'where the configuration files are',
    load: async () => (await import('./commands/config.ts')).configPath,
  },
  completion: {
    summary: 'completions for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  doctor: {
    summary: 'what is installed, and how to get what is missing',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
};

/** What a group does when only its name is typed. */
export const defaults: Record<string, string> = {
  model: 'model list',
  held: 'held list',
  policy: 'policy list',
  audit: 'audit show',
  sessions: 'sessions list',
  approvals: 'approvals list',
  config: 'config list',
};

/** Promised, not built yet. */
export const later: readonly string[] = ['acp'];
