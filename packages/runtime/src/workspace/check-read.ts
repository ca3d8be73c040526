// The rule that a file is read before it is written: what this session has not seen, or has seen in another version, is not changed.
import { ToolError } from '@codelab/protocol';
import { identity } from './identity.ts';
import type { Located } from './locate.ts';

/** `seen` says which version of a file this session knows. */
type Seeing = { seen(path: string): string | undefined };

export function checkRead(place: Located, context: Seeing): void {
  if (place.stat === undefined) return;
  if (context.seen(place.path) === undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'File has not been read yet. Read it first before writing to it.',
      { reason: 'not_read' },
    );
  }
  checkSeen(place, context);
}

/** What the session has not seen at all may be written; what it has seen must be that version. */
export function checkSeen({ path, stat }: Located, { seen }: Seeing): void {
  const print = seen(path);
  if (stat !== undefined && print !== undefined && print !== identity(stat)) {
    throw new ToolError(
      'STALE',
      'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
      { reason: 'changed_since_read' },
    );
  }
}
