// The chat of this window over time: opened with the view, reopened when the settings change or another chat is chosen, and ended with the
// window.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type CodeLabAPI } from '@codelab/client';
import { type EditorFiles, openJournalStore, type ProposedChange } from '@codelab/client/node';
import { type NeutralMessage, ToolError } from '@codelab/protocol';
import * as vscode from 'vscode';
import type { Approvals } from '../approvals/approvals.ts';
import { connectGateway, type GatewayConnection } from '../gateway/gateway.ts';
import { readEditorSettings } from '../settings.ts';
import type { TurnChanges } from '../tools/turn-changes.ts';
import { nameFolders } from '../tools/workspace-folders.ts';
import { openWorkspaceTools, type WorkspaceTools } from '../tools/workspace-tools.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { type ChatSession, type ChatState, createApi, openChatSession } from './chat-session.ts';
import { type ChatStatus, chatStatusOf, logRemedy, openFailureOf } from './problems.ts';

type LifeState = ChatStatus & { agents: readonly string[] };

export type WindowChat = AsyncDisposable & {
  readonly state: LifeState;
  readonly chat: ChatSession | undefined;
  /** The same chat until it is closed; opened on the first call. */
  open(): Promise<ChatSession | undefined>;
  /** Opens another chat: the one with this id, or a new one. */
  switchTo(session: string | undefined): Promise<void>;
  /** Reopens the chat with the present settings. */
  restart(): Promise<void>;
  propose(args: Record<string, unknown>): Promise<ProposedChange>;
};

type Options = {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  approvals: Approvals;
  editor: EditorFiles;
  changes: TurnChanges;
  onFrame(frame: NeutralMessage): void;
  onChange(): void;
  onReset(): void;
};

type Opened = AsyncDisposable & { chat: ChatSession; tools: WorkspaceTools; api: CodeLabAPI };

export function createWindowChat(options: Options): WindowChat {
  const { context, log } = options;
  let opening: Promise<Opened | undefined> | undefined;
  let opened: Opened | undefined;
  const closing = new AbortController();
  let state: LifeState = { connection: 'starting', problem: '', agents: [] };
  const become = (next: Partial<LifeState>): void => {
    const { remedy: _, ...kept } = state;
    state = { ...kept, ...next };
    options.onChange();
  };

  async function open(session: string | undefined, isNew: boolean): Promise<Opened | undefined> {
    become({ connection: 'starting', problem: '' });
    try {
      const made = await openAll(options, { session, isNew, become, closing: closing.signal });
      opened = made;
      options.onReset();
      await loadAgents(made.api, become);
      return made;
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      become({ connection: 'failed', ...openFailureOf(error) });
      opening = undefined;
      return undefined;
    }
  }

  async function close(): Promise<void> {
    // Open parts are closed at once, although others may still be loading.
    const had = opened ?? (await opening?.catch(() => undefined));
    opening = undefined;
    opened = undefined;
    await had?.[Symbol.asyncDispose]();
  }

  async function reopen(session: string | undefined, isNew: boolean): Promise<void> {
    await close();
    opening = open(session, isNew);
    await opening;
  }

  const kept = (): string | undefined => context.workspaceState.get<string>(sessionKey());
  return {
    get state() {
      return state;
    },
    get chat() {
      return opened?.chat;
    },
    async open() {
      if (closing.signal.aborted) return undefined;
      opening ??= open(kept(), false);
      return (await opening)?.chat;
    },
    switchTo: (session) => reopen(session, session === undefined),
    async restart() {
      // The chat was never opened.
      if (opening !== undefined || state.connection !== 'starting') await reopen(kept(), false);
    },
    async propose(args) {
      if (opened === undefined) throw new ToolError('SESSION_NOT_FOUND', 'No chat is open.');
      return await opened.tools.propose(args);
    },
    async [Symbol.asyncDispose]() {
      const ended = close();
      closing.abort();
      await waitAtMost(closeMs, ended);
    },
  };
}

/** The editor kills its extensions after five seconds. */
const closeMs = 4500;

type Opening = {
  session: string | undefined;
  isNew: boolean;
  become(next: Partial<LifeState>): void;
  closing: AbortSignal;
};

async function openAll(
  options: Options,
  { session: wanted, isNew, become, closing }: Opening,
): Promise<Opened> {
  const { context, log, approvals, editor, changes } = options;
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
  const session = await findSession(api, isNew ? undefined : wanted);
  await context.workspaceState.update(sessionKey(), session);
  const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
  mkdirSync(folder, { recursive: true });
  const tools = stack.use(
    openWorkspaceTools({
      folders: openFolders,
      isTrusted: () => vscode.workspace.isTrusted,
      editor,
      home: homeOf(context),
      session,
      trustsGateway: gateway.isEmbedded,
      ask: approvals.ask,
      onNotice: (text) => log.warn(text),
    }),
  );
  const store = openJournalStore(join(folder, 'executions.jsonl'));
  stack.use(store);
  const noted: WorkspaceTools = { ...tools, execute: noteCommands(tools, changes) };
  const onState = (next: ChatState): void => become(chatStatusOf(next));
  const onNotice = (text: string): void => log.warn(text);
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
      onState,
      onNotice,
    }),
  );
  // A window that was closed meanwhile no longer disposes of anything.
  closing.throwIfAborted();
  const owned = stack.move();
  return { chat, tools, api, [Symbol.asyncDispose]: () => owned.disposeAsync() };
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
async function findSession(api: CodeLabAPI, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) {
    try {
      return (await api.sessions.get(wanted)).id;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return (await api.chats.open({ executor: 'client' })).session_id;
}

async function loadAgents(api: CodeLabAPI, become: (next: Partial<LifeState>) => void): Promise<void> {
  try {
    const { agents } = await api.catalogue.agents();
    become({ agents: agents.map(({ type }) => type) });
  } catch {
    // The chat works without the list.
  }
}

function openFolders(): { name: string; root: string }[] {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return nameFolders(local.map(({ name, uri }) => ({ name, root: uri.fsPath })));
}

/** Chats belong to a gateway. */
function sessionKey(): string {
  return `codelab.session:${readEditorSettings().baseUrl}`;
}
