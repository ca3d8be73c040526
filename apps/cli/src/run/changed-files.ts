// Which files a turn changed, from the effects of its calls: what was made and removed again, or put back as it was, is no change.
// A folder that was deleted or moved whole is one entry, with a slash at its end.
import type { Effect, FileState } from '@codelab/protocol';
import * as z from 'zod/mini';

export const ChangedFile = () =>
  z.strictObject({ path: z.string(), change: z.enum(['created', 'modified', 'deleted']) });
export type ChangedFile = z.infer<ReturnType<typeof ChangedFile>>;

export function changedFiles(effects: readonly Effect[]): ChangedFile[] {
  const files = new Map<string, { before: FileState | null; after: FileState | null }>();
  const note = (path: string, before: FileState | null, after: FileState | null): void => {
    files.set(path, { before: files.has(path) ? (files.get(path)?.before ?? null) : before, after });
  };
  for (const { op, path, from, before, after } of effects) {
    if (op === 'mkdir') continue;
    // A move is told as its two ends.
    if (op === 'move' && from !== undefined) note(from, after, null);
    note(path, before, after);
  }
  return [...files]
    .flatMap(([name, { before, after }]): ChangedFile[] => {
      const path = isFolder(before ?? after) ? `${name}/` : name;
      if (before === null) return after === null ? [] : [{ path, change: 'created' }];
      if (after === null) return [{ path, change: 'deleted' }];
      return isSame(before, after) ? [] : [{ path, change: 'modified' }];
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function isFolder(state: FileState | null): boolean {
  return state?.type === 'directory';
}

function isSame(before: FileState, after: FileState): boolean {
  return (
    before.digest !== undefined &&
    before.digest === after.digest &&
    before.type === after.type &&
    before.mode === after.mode
  );
}
