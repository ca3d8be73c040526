// Files whose change reaches further than their path says: another name of them may be outside the workspace, they lie on something
// that is mounted here, or they run with the rights of their owner.
import { type BigIntStats, fstatSync, lstatSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import type { PlanContext } from '../define-tool.ts';
import type { Directory } from './directory.ts';
import { errno } from './fault.ts';
import { isSameEntry, isStateFolderError, isWithin, mountPoints } from './state-folder.ts';
import { entriesOf } from './tree.ts';

const setIds = 0o6000n;
const maxEntries = 20_000;

/** A sentence for people; undefined when there is nothing to say. */
export function whyShared(path: string, { workspace }: PlanContext): string | undefined {
  const { root } = workspace;
  const at = `${root.real === '/' ? '' : root.real}/${path}`;
  const mount = mountPoints().find(
    (point) => point !== root.real && isWithin(point, root.real) && isWithin(at, point),
  );
  if (mount !== undefined) return `${path} lies on something that is mounted into the workspace.`;
  const stat = lookAt(path, workspace);
  if (stat === undefined || !stat.isFile()) return undefined;
  if (stat.dev !== fstatSync(root.fd, { bigint: true }).dev)
    return `${path} lies on another device than the workspace.`;
  if ((stat.mode & setIds) !== 0n)
    return `${path} runs with the rights of its owner or group (setuid or setgid).`;
  if (stat.nlink > 1n && namesBelow(root, stat) < stat.nlink)
    return `${path} has ${stat.nlink} names (hard links), and not all of them are known to be in the workspace.`;
  return undefined;
}

function lookAt(path: string, workspace: PlanContext['workspace']): BigIntStats | undefined {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** How many names of a file there are in the workspace, as far as a bounded look finds them. */
function namesBelow(root: Directory, file: BigIntStats): bigint {
  let found = 0n;
  let left = maxEntries;
  const visit = (directory: Directory): void => {
    for (const entry of entriesOf(directory)) {
      if (--left < 0 || found === file.nlink) return;
      if (entry.isDirectory()) enter(directory, entry.name);
      else if (entry.isFile()) {
        const stat = lstatSync(directory.at(entry.name), { bigint: true, throwIfNoEntry: false });
        if (stat !== undefined && isSameEntry(stat, file)) found++;
      }
    }
  };
  const enter = (parent: Directory, name: string): void => {
    try {
      using directory = parent.openBelow(name);
      visit(directory);
    } catch (error) {
      if (!isStateFolderError(error) && errno(error) === undefined) throw error;
    }
  };
  visit(root);
  return found;
}
