// The editor's documents as files: their unsaved text, and edits that the editor's undo can reverse.
import { realpathSync } from 'node:fs';
import type { EditorFiles } from '@codelab/client/node';
import { diffLines, ToolError } from '@codelab/protocol';
import * as vscode from 'vscode';

/** Called after every edit, with the previous text. */
export type AppliedEdit = { callId: string; uri: vscode.Uri; before: string | null; after: string };

type Options = {
  /** The text that the user saw when they approved the call; undefined when none was shown. */
  shown(callId: string): { before: string | null } | undefined;
  onEdit(edit: AppliedEdit): void;
};

export function editorDocuments({ shown, onEdit }: Options): EditorFiles {
  return {
    unsaved(file) {
      const document = openDocument(file);
      return document?.isDirty ? document.getText() : undefined;
    },
    async write({ callId, file, before, after }) {
      const approved = shown(callId);
      if (approved !== undefined && approved.before !== before) throw stale(file);
      const uri = openDocument(file)?.uri ?? vscode.Uri.file(file);
      if (before === null) await createFile(uri, after);
      const text = before === null ? after : await editText(uri, before, after);
      if (text !== undefined) onEdit({ callId, uri, before, after: text });
      return text;
    },
  };
}

/** The text of a file as the editor has it now; null when there is none. */
export async function documentText(uri: vscode.Uri): Promise<string | null> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return null;
  }
}

async function createFile(uri: vscode.Uri, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(text), overwrite: false });
  if (!(await vscode.workspace.applyEdit(edit))) throw stale(uri.fsPath);
}

/** Saves the document unless it had unsaved changes of the user. Undefined when the editor can't hold the text unchanged. */
export async function editText(uri: vscode.Uri, before: string, after: string): Promise<string | undefined> {
  if (hasMixedEndings(before) || hasMixedEndings(after)) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() !== before) throw stale(uri.fsPath);
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, textEdits(document, before, after));
  if (!(await vscode.workspace.applyEdit(edit))) throw stale(uri.fsPath);
  if (!wasDirty && !(await document.save()))
    throw new ToolError('IO_ERROR', `${uri.fsPath} was changed in the editor but could not be saved.`);
  return document.getText();
}

/** Replaces only the lines that differ, so that cursors and markers elsewhere stay in place. */
function textEdits(document: vscode.TextDocument, before: string, after: string): vscode.TextEdit[] {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const edits = diffLines(oldLines, newLines).map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const range = document.validateRange(new vscode.Range(oldStart, 0, oldEnd, 0));
    return vscode.TextEdit.replace(range, newLines.slice(newStart, newEnd).join(''));
  });
  const [had, has] = [endingOf(before), endingOf(after)];
  if (has === undefined || had === has) return edits;
  const ending = has === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  return document.eol === ending ? edits : [...edits, vscode.TextEdit.setEndOfLine(ending)];
}

/** The document of the same file, whichever link it was opened by. */
function openDocument(file: string): vscode.TextDocument | undefined {
  const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file');
  return (
    documents.find(({ uri }) => uri.fsPath === file) ??
    documents.find(({ uri }) => realPath(uri.fsPath) === file)
  );
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function endingOf(text: string): '\n' | '\r\n' | undefined {
  const at = text.indexOf('\n');
  if (at === -1) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

function hasMixedEndings(text: string): boolean {
  return /\r(?!\n)/.test(text) || (text.includes('\r\n') && /(?<!\r)\n/.test(text));
}

function stale(file: string): ToolError {
  return new ToolError(
    'STALE',
    `${file} was changed in the editor since this was shown, so it was not written. Read it again.`,
    { reason: 'changed_in_editor' },
  );
}
