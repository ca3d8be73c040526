// The extension's settings, read anew each time: what was changed holds for the next use.
import * as vscode from 'vscode';

export type EditorSettings = {
  /** Empty: a gateway of this window's own is started. */
  baseUrl: string;
  timeoutMs: number;
  retryAttempts: number;
  isStreaming: boolean;
  command: string;
  model: string;
  approvalMs: number;
  context: ContextLimits;
};

/** What a message may carry along of the files in the editor. */
export type ContextLimits = { maxFileSize: number; maxFiles: number; maxContextSize: number };

export function readEditorSettings(): EditorSettings {
  const all = vscode.workspace.getConfiguration('codelab');
  const text = (name: string): string => (all.get<string>(name) ?? '').trim();
  return {
    baseUrl: text('api.baseUrl').replace(/\/+$/, ''),
    timeoutMs: all.get('api.timeout', 30_000),
    retryAttempts: all.get('api.retryAttempts', 3),
    isStreaming: all.get('api.streamingEnabled', true),
    command: text('gateway.command') || 'codelab',
    model: text('gateway.model'),
    approvalMs: all.get('approvals.timeout', 300) * 1000,
    context: {
      maxFileSize: all.get('context.maxFileSize', 1024 * 1024),
      maxFiles: all.get('context.maxFiles', 100),
      maxContextSize: all.get('context.maxContextSize', 10 * 1024 * 1024),
    },
  };
}
