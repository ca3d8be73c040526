// Files whose change reaches further than their path says: the file may have another name outside the workspace, lie on a mount, or run with the
// rights of its owner.
import { type BigIntStats, fstatSync, lstatSync } from 'node:fs';
import { type Phrase, phrase, ToolError } from '@codelab/protocol';
import type { Directory } from './directory.ts';
import { errno } from './fault.ts';
import { hasSameInode, isStateFolderError, isWithin, mountPoints } from './state-folder.ts';
import { entriesOf } from './trees/tree.ts';
import type { Workspace } from './workspace.ts';

const setIds = 0o6000n;
const maxEntries = 20_000;

export type FileSharing = {
  /** A sentence for people; undefined when there is nothing to say. */
  why?: Phrase;
  /** Other names of the file in the workspace: writing to the file changes them as well. */
  names: readonly string[];
};

export function findSharing(path: string, workspace: Workspace): FileSharing {
  const { root } = workspace;
  const at = `${root.real === '/' ? '' : root.real}/${path}`;
  const mount = mountPoints().find(
    (point) => point !== root.real && isWithin(point, root.real) && isWithin(at, point),
  );
  if (mount !== undefined) return { why: phrase('call.mounted', { path }), names: [] };
  const stat = lookAt(path, workspace);
  if (stat === undefined || !stat.isFile()) return { names: [] };
  const found = stat.nlink > 1n ? namesBelow(root, stat) : [];
  const why = whyShared(path, { stat, root, known: found.length });
  return { ...(why !== undefined && { why }), names: found.filter((name) => name !== path) };
}

function whyShared(
  path: string,
  { stat, root, known }: { stat: BigIntStats; root: Directory; known: number },
): Phrase | undefined {
  if (stat.dev !== fstatSync(root.fd, { bigint: true }).dev) return phrase('call.otherDevice', { path });
  if ((stat.mode & setIds) !== 0n) return phrase('call.setuid', { path });
  if (stat.nlink > 1n && BigInt(known) < stat.nlink)
    return phrase('call.hardLinks', { path, count: Number(stat.nlink) });
  return undefined;
}

function lookAt(path: string, workspace: Workspace): BigIntStats | undefined {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The names of a file in the workspace, as far as a bounded search finds them. */
function namesBelow(root: Directory, file: BigIntStats): string[] {
  const found: string[] = [];
  let remaining = maxEntries;
  const visit = (directory: Directory, above: string): void => {
    for (const entry of entriesOf(directory)) {
      if (--remaining < 0 || BigInt(found.length) === file.nlink) return;
      if (entry.isDirectory()) enter(directory, entry.name, above);
      else if (entry.isFile()) {
        const stat = lstatSync(directory.at(entry.name), { bigint: true, throwIfNoEntry: false });
        if (stat !== undefined && hasSameInode(stat, file)) found.push(`${above}${entry.name}`);
      }
    }
  };
  const enter = (parent: Directory, name: string, above: string): void => {
    try {
      using directory = parent.openBelow(name);
      visit(directory, `${above}${name}/`);
    } catch (error) {
      if (!isStateFolderError(error) && errno(error) === undefined) throw error;
    }
  };
  visit(root, '');
  return found;
}
