// Everything of one window, wired: the chat and its gateway, the view, the status bar and the commands.
import { reapOrphans } from '@codelab/client/node';
import * as vscode from 'vscode';
import { type Approvals, createApprovals } from './approvals/approvals.ts';
import { createDiffEditor, type DiffEditor } from './approvals/diff-editor.ts';
import { contextView } from './chat/editor-context.ts';
import { homeOf } from './chat/open-chat.ts';
import { createWindowChat, type WindowChat } from './chat/window-chat.ts';
import type { CommandName } from './command-names.ts';
import { createCommands } from './commands.ts';
import { readEditorSettings } from './settings.ts';
import { editorDocuments } from './tools/editor-documents.ts';
import { createTurnChanges } from './tools/turn-changes.ts';
import { type ChatView, createChatView } from './view/chat-view.ts';
import type { ApprovalView } from './view/messages.ts';
import { type ChatStatusBar, createStatusBar } from './view/status-bar.ts';

export type Workbench = AsyncDisposable & {
  showView(panel: vscode.WebviewView): Promise<void>;
  run(command: CommandName): Promise<void>;
};

export function openWorkbench(context: vscode.ExtensionContext): Workbench {
  const log = vscode.window.createOutputChannel('CodeLab', { log: true });
  const diffs = createDiffEditor();
  const changes = createTurnChanges();
  const approvals = createApprovals({
    approvalMs: () => readEditorSettings().approvalMs,
    propose: (args) => windowChat.propose(args),
    onChange: () => showApprovals(),
    onAsked: (approval) => {
      if (!view.isVisible) void notifyHidden(approval, commands.run, approvals.reject);
    },
    // A diff editor that closes while its file is being saved would ask the user what to do with it.
    beforeAnswer: (key) => diffs.close(key),
  });
  const editor = editorDocuments({ shown: approvals.shown, onEdit: changes.noteEdit });
  const shared = { context, log, approvals, changes };
  const windowChat = createWindowChat({
    ...shared,
    editor,
    onFrame: (frame) => {
      view.post({ type: 'frames', frames: [frame], isReset: false });
      status.hear(frame);
      if (frame.type === 'event' && frame.event.body.type === 'turn.started') changes.begin();
    },
    onChange: () => {
      view.showState();
      status.show(windowChat.state.connection, approvals.views.length);
    },
    onReset: () => view.showAll(),
  });
  const commands = createCommands({ ...shared, windowChat, diffs, say: (text) => view.say(text) });
  const view = createChatView({ context, windowChat, approvals, commands });
  const status = createStatusBar();

  const showApprovals = approvalDisplay({ approvals, diffs, windowChat, view, status });
  const listeners = watchEditor(view, windowChat);
  void endOrphans(homeOf(context), log);
  return {
    showView: (panel) => view.show(panel),
    run: (command) => commands.run(command),
    async [Symbol.asyncDispose]() {
      // Processes end first: the parts of the editor may fail, because the editor no longer answers.
      const ended = windowChat[Symbol.asyncDispose]();
      const parts = [...listeners, diffs, status, view].map((part) => async () => part.dispose());
      await Promise.allSettled(parts.map((dispose) => dispose()));
      await ended;
      log.dispose();
    },
  };
}

/** Ends the processes of an extension host that was killed. */
async function endOrphans(home: string, log: vscode.LogOutputChannel): Promise<void> {
  try {
    const count = await reapOrphans(home);
    if (count > 0) log.warn(`${count} processes that a killed extension host had left were ended.`);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
  }
}

/** A notification for an approval that arrives while the chat is not visible. It can be rejected here; to approve, the user has to open it. */
async function notifyHidden(
  { key, tool, description }: ApprovalView,
  run: (command: CommandName) => Promise<void>,
  reject: (key: string, reason: string) => boolean,
): Promise<void> {
  const show = vscode.l10n.t('Show');
  const no = vscode.l10n.t('Reject');
  const text = vscode.l10n.t('CodeLab waits for you: {0}', description || tool);
  const pressed = await vscode.window.showWarningMessage(text, show, no);
  if (pressed === show) await run('openChat');
  if (pressed === no) reject(key, 'User declined');
}

type Display = {
  approvals: Approvals;
  diffs: DiffEditor;
  windowChat: WindowChat;
  view: ChatView;
  status: ChatStatusBar;
};

/** Shows pending approvals in the view, the status bar and the keys, and closes the diff editors of those that ended. */
function approvalDisplay({ approvals, diffs, windowChat, view, status }: Display): () => void {
  let shownKeys: readonly string[] = [];
  return () => {
    const keys = approvals.views.map(({ key }) => key);
    for (const key of shownKeys) if (!keys.includes(key)) void diffs.close(key);
    shownKeys = keys;
    void vscode.commands.executeCommand('setContext', 'codelab.isWaiting', approvals.first !== undefined);
    view.showApprovals();
    status.show(windowChat.state.connection, keys.length);
  };
}

function watchEditor(view: ChatView, windowChat: WindowChat): vscode.Disposable[] {
  return [
    vscode.window.onDidChangeActiveTextEditor(() => view.showContext(contextView())),
    vscode.window.onDidChangeTextEditorSelection(() => view.showContext(contextView())),
    vscode.languages.onDidChangeDiagnostics(() => view.showContext(contextView())),
    vscode.workspace.onDidGrantWorkspaceTrust(() => view.showState()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (['api', 'gateway', 'approvals'].some((part) => change.affectsConfiguration(`codelab.${part}`)))
        void windowChat.restart();
    }),
  ];
}
