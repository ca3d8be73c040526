// The extension's settings, read on each use: a change applies from the next use on.
import * as vscode from 'vscode';

export type EditorSettings = {
  /** Empty: this window starts a gateway of its own. */
  baseUrl: string;
  timeoutMs: number;
  retryAttempts: number;
  isStreaming: boolean;
  command: string;
  model: string;
  approvalMs: number;
  context: ContextLimits;
};

/** The context of the editor that a message may include. */
export type ContextLimits = { maxFileSize: number; maxFiles: number; maxContextSize: number };

export function readEditorSettings(): EditorSettings {
  const settings = vscode.workspace.getConfiguration('codelab');
  const text = (name: string): string => (settings.get<string>(name) ?? '').trim();
  return {
    baseUrl: text('api.baseUrl').replace(/\/+$/, ''),
    timeoutMs: settings.get('api.timeout', 30_000),
    retryAttempts: settings.get('api.retryAttempts', 3),
    isStreaming: settings.get('api.streamingEnabled', true),
    command: text('gateway.command') || 'codelab',
    model: text('gateway.model'),
    approvalMs: settings.get('approvals.timeout', 300) * 1000,
    context: {
      maxFileSize: settings.get('context.maxFileSize', 1024 * 1024),
      maxFiles: settings.get('context.maxFiles', 100),
      maxContextSize: settings.get('context.maxContextSize', 10 * 1024 * 1024),
    },
  };
}
