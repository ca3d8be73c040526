// The commands of the palette, the menus and the keys, and the equivalent buttons of the view.
import * as vscode from 'vscode';
import type { Approvals } from './approvals/approvals.ts';
import type { DiffEditor } from './approvals/diff-editor.ts';
import { chooseChat } from './chat/choose-chat.ts';
import type { WindowChat } from './chat/window-chat.ts';
import type { CommandName } from './command-names.ts';
import { promptForToken } from './gateway/gateway.ts';
import { readEditorSettings } from './settings.ts';
import type { TurnChanges } from './tools/turn-changes.ts';

export type Commands = {
  run(command: CommandName): Promise<void>;
  /** The command of the button beside a problem. */
  remedy(): Promise<void>;
  review(key: string): Promise<void>;
};

type Options = {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  windowChat: WindowChat;
  approvals: Approvals;
  diffs: DiffEditor;
  changes: TurnChanges;
  /** Sends the text in the chat, with the selection. */
  say(text: string): Promise<void>;
};

export function createCommands(options: Options): Commands {
  const { context, log, windowChat, approvals, diffs } = options;
  const focus = async (): Promise<void> => {
    await vscode.commands.executeCommand('codelab.chat.focus');
  };
  const sendPrompt = async (text: string): Promise<void> => {
    await focus();
    await options.say(text);
  };
  const review = async (key: string): Promise<void> => {
    const change = approvals.change(key);
    if (change !== undefined) await diffs.show(key, change);
  };
  const setToken = async (): Promise<void> => {
    if (await promptForToken(context.secrets, readEditorSettings().baseUrl)) await windowChat.restart();
  };
  const handlers: Record<CommandName, () => Promise<void> | void> = {
    openChat: focus,
    newChat: async () => {
      await focus();
      await windowChat.switchTo(undefined);
    },
    chats: () => chooseChat(windowChat),
    explainSelection: () => sendPrompt(prompts.explain),
    refactorSelection: () => sendPrompt(prompts.refactor),
    fixErrors: () => sendPrompt(prompts.fix),
    approve: () => void (approvals.first && approvals.approve(approvals.first.key)),
    reject: () => rejectFirst(approvals),
    reviewChange: async () => {
      if (approvals.first !== undefined) await review(approvals.first.key);
    },
    undoLastTurn: () => undoLastTurn(options.changes),
    setToken,
    showLog: () => log.show(),
  };
  return {
    run: async (command) => await handlers[command](),
    review,
    remedy: () => runRemedy(options, setToken),
  };
}

/** Sent to the model, so they are not translated. */
const prompts = {
  explain: 'Explain the selected code: what it does, and why it is written this way.',
  refactor: 'Refactor the selected code: make it simpler and easier to read, and keep what it does.',
  fix: 'Fix the problems that the editor shows for this file.',
};

async function runRemedy({ windowChat, log }: Options, setToken: () => Promise<void>): Promise<void> {
  switch (windowChat.state.remedy?.command) {
    case 'settings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'codelab');
      return;
    case 'setToken':
      return await setToken();
    case 'retry':
      return await windowChat.restart();
    default:
      log.show();
  }
}

/** The reasons that the view offers. They are sent to the model, so they are not translated. */
const reasons = ['User declined', 'Looks risky', 'Will do it later'];

async function rejectFirst(approvals: Approvals): Promise<void> {
  const { first } = approvals;
  if (first === undefined) return;
  const title = vscode.l10n.t('Why is it rejected?');
  const reason = await vscode.window.showQuickPick(reasons, { title });
  if (reason !== undefined) approvals.reject(first.key, reason);
}

async function undoLastTurn(changes: TurnChanges): Promise<void> {
  const result = await changes.undoLast();
  if (result === undefined || (result.undone === 0 && result.refused.length === 0)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing to undo in this chat.'));
    return;
  }
  if (result.refused.length > 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Not undone, because they were changed since: {0}', result.refused.join(', ')),
    );
    return;
  }
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The last turn was undone ({0} changes).', result.undone),
  );
}
