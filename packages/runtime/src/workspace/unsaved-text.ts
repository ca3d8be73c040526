// Texts that an editor holds and has not saved, by their path in the workspace. While such a text differs from the disk, reading gives the
// text, and nothing may change the file: the editor's next save would overwrite the change.
import { ToolError } from '@codelab/protocol';
import { readText } from './text-files.ts';
import type { Workspace } from './workspace.ts';

export const maxUnsavedBytes = 1024 * 1024;

/** Whether the file has this text, so that nothing is unsaved. What can't be read as text differs. */
export function isSaved(workspace: Workspace, path: string, text: string): boolean {
  try {
    // The mark at the start of a file takes three bytes more.
    return readText(workspace, path, { maxBytes: maxUnsavedBytes + 3, followLast: false }) === text;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

/** For whatever is about to change the file, before its present text is looked at. */
export function refuseUnsaved(path: string, context: { unsaved(path: string): string | undefined }): void {
  if (context.unsaved(path) === undefined) return;
  throw new ToolError(
    'STALE',
    `${path} has unsaved changes in the editor; save or close it there, then try again.`,
    { reason: 'unsaved_changes', path },
  );
}
