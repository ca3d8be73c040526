// The entry point: registers the view and the commands, and loads the rest on first use.
import * as vscode from 'vscode';
import { commandIds } from './command-names.ts';
import type { Workbench } from './workbench.ts';

let opened: Promise<Workbench> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const open = (): Promise<Workbench> => {
    opened ??= import('./workbench.ts').then(({ openWorkbench }) => openWorkbench(context));
    return opened;
  };
  const view: vscode.WebviewViewProvider = {
    resolveWebviewView: async (panel) => (await open()).showView(panel),
  };
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('codelab.chat', view),
    ...commandIds.map((name) =>
      vscode.commands.registerCommand(`codelab.${name}`, async () => (await open()).run(name)),
    ),
  );
}

/** Rejects pending approvals, ends running calls, and returns when all of them are over. */
export async function deactivate(): Promise<void> {
  const workbench = await opened?.catch(() => undefined);
  opened = undefined;
  await workbench?.[Symbol.asyncDispose]();
}
