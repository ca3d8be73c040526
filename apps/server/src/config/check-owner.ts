// Refuses a folder of ours that is somebody else's, or where others can write: they could change what we trust.
import { lstatSync, statSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';

const mayBeWritten = 0o022;

/** A folder that is not there yet is nobody's. `what` begins the message. */
export function checkOwner(folder: string, what: string): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  // A link, and where it leads.
  for (const found of [
    lstatSync(folder, { throwIfNoEntry: false }),
    statSync(folder, { throwIfNoEntry: false }),
  ])
    if (found !== undefined && found.uid !== own)
      throw new ToolError(
        'PERMISSION_DENIED',
        `${what} (${folder}) belongs to another user. Remove it, take it over with chown, or name another state folder in CODELAB_HOME.`,
        { path: folder },
      );
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & mayBeWritten) !== 0)
    throw new ToolError(
      'PERMISSION_DENIED',
      `${what} (${folder}) can be written to by others. Look at what is in it, then run: chmod 700 ${folder}`,
      { path: folder },
    );
}
