// The bytes a file had in one version, by their digest: it may stand there now, or be kept in the quarantine. Undoing and redoing move
// versions back and forth, so it is looked for by what it is, not by where it was put.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileState, ToolError } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import { openItem, type Spot } from '../workspace/quarantine.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Versions } from './index-changes.ts';

export type Places = { workspace: Workspace; home: string; versions: Versions };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Undefined when nobody has it any more. */
export function findVersion(path: string, wanted: FileState, places: Places): Buffer | undefined {
  if (wanted.type !== 'file' || wanted.digest === undefined) return undefined;
  const here = standing(path, wanted, places.workspace);
  if (here !== undefined) return here;
  for (const { digest: known, trashId } of places.versions.get(path) ?? []) {
    if (known !== wanted.digest) continue;
    using item = openItem(places.home, trashId);
    const bytes = item && read(item, wanted);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

function standing(path: string, wanted: FileState, workspace: Workspace): Buffer | undefined {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat?.isFile() ? read(place, wanted) : undefined;
  } catch (error) {
    // A folder on the way is gone, or is something else by now.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

// Only what is that version, whole: the name alone proves nothing.
function read({ parent, name }: Spot, wanted: FileState): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(parent.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size !== wanted.size) return undefined;
    const bytes = readFileSync(fd);
    return digest(bytes) === wanted.digest ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
