// Opens a file that a call names in an editor.
import * as vscode from 'vscode';

/** Only files of the open folders. */
export async function openInEditor(path: string): Promise<void> {
  const [found] = await vscode.workspace.findFiles(
    new vscode.RelativePattern(rootOf(path), restOf(path)),
    null,
    1,
  );
  if (found !== undefined) await vscode.window.showTextDocument(found);
}

function rootOf(path: string): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = folders.length > 1 ? folders.find(({ name }) => path.startsWith(`${name}/`)) : folders[0];
  return named?.uri ?? vscode.Uri.file('/');
}

function restOf(path: string): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const rest = folders.length > 1 ? path.slice(path.indexOf('/') + 1) : path;
  return rest.replaceAll(/[[\]{}*?]/g, '[$&]');
}
