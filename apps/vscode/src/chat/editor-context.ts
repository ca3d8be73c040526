// The user's context for the agent: the active file, the selection, its problems, and the names of the other open files.
import * as vscode from 'vscode';
import type { ContextLimits } from '../settings.ts';
import type { EditorContext } from '../view/messages.ts';

/** Undefined when no file of the workspace is in the active editor. */
export function contextView(): EditorContext | undefined {
  const editor = activeEditor();
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  return {
    file: vscode.workspace.asRelativePath(document.uri),
    lines: selection.isEmpty ? '' : `${selection.start.line + 1}–${selection.end.line + 1}`,
    problems: problemsOf(document).length,
  };
}

/** The message, followed by its context. */
export function withContext(text: string, limits: ContextLimits): string {
  const editor = activeEditor();
  if (editor === undefined) return text;
  const parts = [fileText(editor, limits), problemText(editor.document), openFiles(editor.document, limits)];
  const context = parts.filter((part) => part !== '').join('\n\n');
  return context === '' ? text : `${text}\n\n${cut(context, Math.min(limits.maxContextSize, maxChars))}`;
}

/** A gateway accepts messages of up to a million characters. */
const maxChars = 900_000;
const maxProblems = 50;
/**
 * The context quotes the selection; the agent can read the file itself, with its unsaved text. The form is the one that a gateway uses for
 * attached files.
 */
function fileText({ document, selection }: vscode.TextEditor, { maxFileSize }: ContextLimits): string {
  const path = vscode.workspace.asRelativePath(document.uri);
  const unsaved = document.isDirty ? ' unsaved="true"' : '';
  const begin = `<file path=${JSON.stringify(path)}${unsaved}`;
  const selected = document.getText(selection);
  if (selection.isEmpty || Buffer.byteLength(selected) > maxFileSize)
    return `${begin} cursor="${selection.active.line + 1}">\nThis file is open in the editor.\n</file>`;
  const lines = `${selection.start.line + 1}-${selection.end.line + 1}`;
  return `${begin} selected="${lines}">\n${fenced(selected, document.languageId)}\n</file>`;
}

function problemText(document: vscode.TextDocument): string {
  const problems = problemsOf(document).slice(0, maxProblems);
  if (problems.length === 0) return '';
  const path = vscode.workspace.asRelativePath(document.uri);
  const lines = problems.map(({ range, message, source, severity }) => {
    const kind = severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
    return `- ${path}:${range.start.line + 1}: ${kind}: ${message}${source === undefined ? '' : ` (${source})`}`;
  });
  return `Problems that the editor shows:\n${lines.join('\n')}`;
}

function openFiles(active: vscode.TextDocument, { maxFiles }: ContextLimits): string {
  const open = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const others = open.filter(
    (uri) =>
      uri.toString() !== active.uri.toString() && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
  const names = [...new Set(others.map((uri) => vscode.workspace.asRelativePath(uri)))].slice(0, maxFiles);
  return names.length === 0 ? '' : `Other open files: ${names.join(', ')}`;
}

function problemsOf({ uri }: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
}

function activeEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  const isOurs =
    editor !== undefined && vscode.workspace.getWorkspaceFolder(editor.document.uri) !== undefined;
  return isOurs ? editor : undefined;
}

/** A fence that is longer than any run of backquotes in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n?$/, '\n')}${fence}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[cut]`;
}
