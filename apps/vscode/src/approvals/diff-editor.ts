// A proposed change in the editor's diff editor: the present text on the left, the proposed text on the right.
import type { ProposedChange } from '@codelab/client/node';
import * as vscode from 'vscode';

export type DiffEditor = vscode.Disposable & {
  show(key: string, change: ProposedChange): Promise<void>;
  /** Closes the tabs of an approval that has ended. */
  close(key: string): Promise<void>;
};

const scheme = 'codelab-change';

export function createDiffEditor(): DiffEditor {
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  const uriOf = (key: string, side: 'before' | 'after', path: string): vscode.Uri =>
    vscode.Uri.from({ scheme, path: `/${path}`, query: `${side}&${encodeURIComponent(key)}` });
  return {
    async show(key, { path, file, before, after }) {
      const right = uriOf(key, 'after', path);
      texts.set(right.toString(), after);
      const leftUri = before === null ? uriOf(key, 'before', path) : vscode.Uri.file(file);
      if (before === null) texts.set(leftUri.toString(), '');
      const title = vscode.l10n.t('{0} (proposed change)', path);
      await vscode.commands.executeCommand('vscode.diff', leftUri, right, title, { preview: true });
    },
    async close(key) {
      const isOurs = (uri: vscode.Uri): boolean =>
        uri.scheme === scheme && uri.query.endsWith(`&${encodeURIComponent(key)}`);
      const tabs = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input }) => input instanceof vscode.TabInputTextDiff && isOurs(input.modified));
      if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
      for (const name of texts.keys()) if (isOurs(vscode.Uri.parse(name))) texts.delete(name);
    },
    dispose: () => provider.dispose(),
  };
}
