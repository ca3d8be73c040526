// Opens a chat of this window: connects to the gateway, finds or creates the session, and opens the tools that run here. All parts close together.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type CodeLabAPI } from '@codelab/client';
import { type EditorFiles, openJournalStore } from '@codelab/client/node';
import type { NeutralMessage } from '@codelab/protocol';
import * as vscode from 'vscode';
import type { Approvals } from '../approvals/approvals.ts';
import { connectGateway, type GatewayConnection } from '../gateway/gateway.ts';
import { readEditorSettings } from '../settings.ts';
import type { TurnChanges } from '../tools/turn-changes.ts';
import { nameFolders } from '../tools/workspace-folders.ts';
import { openWorkspaceTools, type WorkspaceTools } from '../tools/workspace-tools.ts';
import { type ChatSession, createApi, openChatSession } from './chat-session.ts';
import { type ChatStatus, chatStatusOf, logRemedy } from './problems.ts';

export type OpenChatOptions = {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  approvals: Approvals;
  editor: EditorFiles;
  changes: TurnChanges;
  onFrame(frame: NeutralMessage): void;
};

export type OpenedChat = AsyncDisposable & { chat: ChatSession; tools: WorkspaceTools; api: CodeLabAPI };
export type WantedChat = { session: string | undefined; isNew: boolean };
type Opening = WantedChat & {
  become(next: ChatStatus): void;
  closing: AbortSignal;
};

export async function openChat(
  options: OpenChatOptions,
  { session: sessionId, isNew, become, closing }: Opening,
): Promise<OpenedChat> {
  const { context, log, approvals, changes } = options;
  become({ connection: 'starting', problem: '' });
  const settings = readEditorSettings();
  await using stack = new AsyncDisposableStack();
  const gateway: GatewayConnection = stack.use(
    await connectGateway(settings, {
      secrets: context.secrets,
      closing,
      onLog: (line) => log.info(line),
      onLost: (reason) => become({ connection: 'failed', problem: reason, remedy: logRemedy() }),
    }),
  );
  const api = createApi(gateway, settings);
  const session = await findSession(api, isNew ? undefined : sessionId);
  await context.workspaceState.update(sessionKey(), session);
  const tools = stack.use(openTools(options, gateway, session));
  const store = openJournalStore(join(storageFolder(context), 'executions.jsonl'));
  stack.use(store);
  const noted: WorkspaceTools = { ...tools, execute: noteCommands(tools, changes) };
  const chat = stack.use(
    openChatSession({
      gateway,
      settings,
      api,
      session,
      tools: noted,
      approvals,
      store,
      onFrame: options.onFrame,
      onState: (next) => become(chatStatusOf(next)),
      onNotice: (text) => log.warn(text),
    }),
  );
  // A window that was closed meanwhile no longer disposes of anything.
  closing.throwIfAborted();
  const owned = stack.move();
  return { chat, tools, api, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function openTools(
  { context, log, approvals, editor }: OpenChatOptions,
  gateway: GatewayConnection,
  session: string,
): WorkspaceTools {
  return openWorkspaceTools({
    folders: openFolders,
    isTrusted: () => vscode.workspace.isTrusted,
    editor,
    home: homeOf(context),
    session,
    trustsGateway: gateway.isEmbedded,
    ask: approvals.ask,
    onNotice: (text) => log.warn(text),
  });
}

function storageFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  const folder = (storageUri ?? globalStorageUri).fsPath;
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The state folder of the tools, shared by all windows. */
export function homeOf({ globalStorageUri }: vscode.ExtensionContext): string {
  return join(globalStorageUri.fsPath, 'home');
}

/** The changes of a command can be undone with the turn. */
function noteCommands(tools: WorkspaceTools, changes: TurnChanges): WorkspaceTools['execute'] {
  return async (signal, execution) => {
    const result = await tools.execute(signal, execution);
    if (signal.tool_type === 'execute_command')
      changes.noteCommand(() => tools.undoCommand(signal.tool_id, signal.args.cwd));
    return result;
  };
}

/** The previous chat, while the gateway still has it. */
async function findSession(api: CodeLabAPI, sessionId: string | undefined): Promise<string> {
  if (sessionId !== undefined) {
    try {
      return (await api.sessions.get(sessionId)).id;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return (await api.chats.open({ executor: 'client' })).session_id;
}

function openFolders(): { name: string; root: string }[] {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return nameFolders(local.map(({ name, uri }) => ({ name, root: uri.fsPath })));
}

/** Chats belong to a gateway. */
export function sessionKey(): string {
  return `codelab.session:${readEditorSettings().baseUrl}`;
}
