// Refuses a folder of ours that is somebody else's: whoever owns it could change what we trust.
import { lstatSync, statSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';

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
}
