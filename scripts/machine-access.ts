// The files outside packages/runtime that may import `node:fs` or `node:child_process`, and why. scripts/boundaries.ts refuses all other
// imports, so that files and programs of the workspace are reached through the runtime. A path that ends in a slash is a folder with
// everything below.

/** The first list is the one to keep short: these look into the workspace by themselves. */
export const machineAccess: Readonly<Record<string, readonly string[]>> = {
  'reads names or settings of the workspace': [
    'apps/cli/src/audit/find-sessions.ts',
    'apps/cli/src/chat/input/path-list.ts',
    'apps/cli/src/chat/markdown/path-links.ts',
    'apps/cli/src/command-line/define-command.ts',
    'apps/cli/src/commands/run.ts',
    'apps/server/src/agent/host-agents.ts',
    'apps/server/src/agent/load-profiles.ts',
    'apps/server/src/agent/model-tools.ts',
    'apps/server/src/compose.ts',
    'apps/server/src/http/kode/chat-body.ts',
    'apps/server/src/http/session-views.ts',
    'apps/vscode/src/tools/editor-documents.ts',
    'packages/client/src/node/local-host.ts',
    'packages/client/src/node/path-validator.ts',
  ],
  'writes a file that the user asks for: the configuration, an exported conversation, an anchor': [
    'apps/cli/src/chat/commands/view.ts',
    'apps/server/src/config/change-config.ts',
    'apps/server/src/log/seals/anchors.ts',
  ],
  'reads or writes a file that the user names on the command line or in the configuration': [
    'apps/cli/src/commands/log-copy.ts',
    'apps/cli/src/commands/model/add.ts',
    'apps/cli/src/commands/serve.ts',
    'apps/cli/src/run/',
    'apps/server/src/edge/auth/verify-jwt.ts',
    'apps/server/src/log/jetstream/address.ts',
    'packages/client/src/node/journal-store.ts',
  ],
  'keeps state in $CODELAB_HOME, beside the audit key, or in the folder of the editor': [
    'apps/cli/src/chat/input/history.ts',
    'apps/cli/src/chat/input/unsent.ts',
    'apps/cli/src/chat/start-chat.ts',
    'apps/cli/src/commands/approvals/watch.ts',
    'apps/cli/src/connect/gateway-address.ts',
    'apps/cli/src/run-cached.ts',
    'apps/server/src/agent/context/instructions.ts',
    'apps/server/src/agent/turn-log.ts',
    'apps/server/src/config/',
    'apps/server/src/edge/auth/browser-files.ts',
    'apps/server/src/log/',
    'apps/server/src/mcp/server/resources/output-files.ts',
    'apps/server/src/sessions/',
    'apps/server/src/worktrees/',
    'apps/vscode/src/chat/open-chat.ts',
  ],
  'reads what comes with the program, or copies its sample': [
    'apps/cli/src/build-output.ts',
    'apps/cli/src/commands/demo.ts',
    'apps/cli/src/demo/copy-sample.ts',
    'apps/server/src/http/routes/web/web-app.ts',
    'apps/server/src/http/web/built-files.ts',
    'packages/agent/src/profiles/built-in-profiles.ts',
  ],
  'uses the terminal, /proc, or a program of the user: editor, pager, gateway': [
    'apps/cli/src/chat/screen/',
    'apps/cli/src/doctor/',
    'apps/cli/src/command-line/process.ts',
    'apps/cli/src/terminal/',
    'apps/server/src/edge/auth/local-processes.ts',
    'apps/server/src/edge/port-owner.ts',
    'apps/server/src/observe/log-lines.ts',
    'apps/vscode/src/gateway/embedded-gateway.ts',
  ],
};

export const machineModules = /^(node:)?(fs|child_process)(\/|$)/;
