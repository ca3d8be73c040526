// The item in the status bar: the agent is idle, works, or waits for the user. A click opens the chat.
import type { NeutralMessage } from '@codelab/protocol';
import * as vscode from 'vscode';
import type { ChatConnectionState } from './messages.ts';

export type ChatStatusBar = vscode.Disposable & {
  hear(frame: NeutralMessage): void;
  show(connection: ChatConnectionState, waiting: number): void;
};

export function createStatusBar(): ChatStatusBar {
  const item = vscode.window.createStatusBarItem('codelab.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'CodeLab';
  item.command = 'codelab.openChat';
  let isWorking = false;
  let current: { connection: ChatConnectionState; waiting: number } = { connection: 'starting', waiting: 0 };
  const paint = (): void => {
    const { text, tooltip, color } = appearanceOf(current.connection, current.waiting, isWorking);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `CodeLab: ${tooltip}` };
    item.backgroundColor = color === undefined ? undefined : new vscode.ThemeColor(color);
  };
  paint();
  item.show();
  return {
    hear(frame) {
      if (frame.type === 'event') {
        if (frame.event.body.type === 'turn.started') isWorking = true;
        else if (frame.event.body.type === 'turn.ended') isWorking = false;
        else return;
        paint();
      }
    },
    show(connection, waiting) {
      current = { connection, waiting };
      paint();
    },
    dispose: () => item.dispose(),
  };
}

type Look = { text: string; tooltip: string; color?: string };

function appearanceOf(connection: ChatConnectionState, waiting: number, isWorking: boolean): Look {
  if (waiting > 0)
    return {
      text: `$(bell-dot) ${vscode.l10n.t('CodeLab waits for you')}`,
      tooltip: vscode.l10n.t('{0} questions wait for your decision', waiting),
      color: 'statusBarItem.warningBackground',
    };
  if (connection === 'failed' || connection === 'lost')
    return {
      text: '$(debug-disconnect) CodeLab',
      tooltip: vscode.l10n.t('Not connected to a gateway'),
      ...(connection === 'failed' && { color: 'statusBarItem.errorBackground' }),
    };
  if (isWorking) return { text: `$(loading~spin) CodeLab`, tooltip: vscode.l10n.t('The agent is thinking') };
  return { text: '$(sparkle) CodeLab', tooltip: vscode.l10n.t('The agent is idle') };
}
