// Everything of one window, wired: the chat and its gateway, the view, the status bar and the commands.
import { reapOrphans } from '@codelab/client/node';
import * as vscode from 'vscode';
import { type Approvals, createApprovals } from './approvals/approvals.ts';
import { createDiffEditor, type DiffEditor } from './approvals/diff-editor.ts';
import { contextView } from './chat/editor-context.ts';
import { createWindowChat, homeOf, type WindowChat } from './chat/window-chat.ts';
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
    propose: (args) => life.propose(args),
    onChange: () => showApprovals(),
    onAsked: (asked) => notify(asked),
    // A diff editor that closes while its file is being saved would ask the user what to do with it.
    beforeAnswer: (key) => diffs.close(key),
  });
  const editor = editorDocuments({ shown: approvals.shown, onEdit: changes.noteEdit });
  const life = createWindowChat({
    context,
    log,
    approvals,
    editor,
    changes,
    onFrame: (frame) => {
      view.post({ type: 'frames', frames: [frame], isReset: false });
      status.hear(frame);
      if (frame.type === 'event' && frame.event.body.type === 'turn.started') changes.begin();
    },
    onChange: () => {
      view.showState();
      status.show(life.state.connection, approvals.views.length);
    },
    onReset: () => view.showAll(),
  });
  const commands = createCommands({
    context,
    log,
    life,
    approvals,
    diffs,
    changes,
    say: (text) => view.say(text),
  });
  const view = createChatView({ context, life, approvals, commands });
  const status = createStatusBar();

  const showApprovals = approvalDisplay({ approvals, diffs, life, view, status });
  const notify = (asked: ApprovalView): void => {
    if (!view.isVisible) void notifyHidden(asked, commands.run, approvals.reject);
  };

  const listeners = watchEditor(view, life);
  void endOrphans(homeOf(context), log);
  return {
    showView: (panel) => view.show(panel),
    run: (command) => commands.run(command),
    async [Symbol.asyncDispose]() {
      // Processes end first: the parts of the editor may fail, because the editor no longer answers.
      const ended = life[Symbol.asyncDispose]();
      const parts = [...listeners, diffs, status, view].map((one) => async () => one.dispose());
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
  life: WindowChat;
  view: ChatView;
  status: ChatStatusBar;
};

/** Shows pending approvals in the view, the status bar and the keys, and closes the diff editors of those that ended. */
function approvalDisplay({ approvals, diffs, life, view, status }: Display): () => void {
  let shownKeys: readonly string[] = [];
  return () => {
    const keys = approvals.views.map(({ key }) => key);
    for (const key of shownKeys.filter((one) => !keys.includes(one))) void diffs.close(key);
    shownKeys = keys;
    void vscode.commands.executeCommand('setContext', 'codelab.isWaiting', approvals.first !== undefined);
    view.showApprovals();
    status.show(life.state.connection, keys.length);
  };
}

function watchEditor(view: ChatView, life: WindowChat): vscode.Disposable[] {
  return [
    vscode.window.onDidChangeActiveTextEditor(() => view.showContext(contextView())),
    vscode.window.onDidChangeTextEditorSelection(() => view.showContext(contextView())),
    vscode.languages.onDidChangeDiagnostics(() => view.showContext(contextView())),
    vscode.workspace.onDidGrantWorkspaceTrust(() => view.showState()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (['api', 'gateway', 'approvals'].some((part) => change.affectsConfiguration(`codelab.${part}`)))
        void life.restart();
    }),
  ];
}
