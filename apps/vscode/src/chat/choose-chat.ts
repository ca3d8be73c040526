// The list of chats: open one, search by title, delete one after a confirmation.
import * as vscode from 'vscode';
import type { WindowChat } from './window-chat.ts';

type Item = vscode.QuickPickItem & { id: string | undefined };

const listed = 100;

export async function chooseChat(windowChat: WindowChat): Promise<void> {
  const chat = await windowChat.open();
  if (chat === undefined) return;
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Chats');
  pick.placeholder = vscode.l10n.t('Search by title');
  pick.busy = true;
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete'),
  };
  const load = async (): Promise<void> => {
    const { sessions } = await chat.api.sessions.list({ limit: listed });
    const items = sessions.map(({ id, title, updated_at }) => ({
      id,
      label: title || vscode.l10n.t('Untitled chat'),
      description: `${id === chat.session ? `${vscode.l10n.t('open')} · ` : ''}${updated_at === null ? '' : new Date(updated_at).toLocaleString()}`,
      buttons: id === chat.session ? [] : [remove],
    }));
    pick.items = [{ id: undefined, label: `$(add) ${vscode.l10n.t('New chat')}` }, ...items];
    pick.busy = false;
  };
  pick.onDidTriggerItemButton(async ({ item }) => {
    if (item.id === undefined || !(await isSure(item.label))) return;
    await chat.api.sessions.delete(item.id);
    await load();
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    if (chosen !== undefined && chosen.id !== chat.session) void windowChat.switchTo(chosen.id);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  await load();
}

async function isSure(title: string): Promise<boolean> {
  const yes = vscode.l10n.t('Delete');
  const question = vscode.l10n.t('Delete the chat “{0}”? This can’t be undone.', title);
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}
