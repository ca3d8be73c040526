// How much a deletion would take: files, bytes, what git does not have, links that lead out, and special places inside.
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type BlastRadius, ToolError } from '@codelab/protocol';
import type { Directory } from './directory.ts';
import { readTracked } from './git-index.ts';
import type { Located } from './locate.ts';
import { entriesOf } from './tree.ts';
import type { Workspace } from './workspace.ts';

const maxEntries = 200_000;

export function blastRadius(
  workspace: Workspace,
  place: Located,
  signal: AbortSignal,
): { blast: BlastRadius; inside: string[] } {
  const tracked = readTracked(workspace);
  const blast: BlastRadius = {
    files: 0,
    directories: 0,
    bytes: 0,
    untracked: tracked === undefined ? null : 0,
    linksLeaving: 0,
  };
  const inside: string[] = [];
  let seen = 0;

  function count(parent: Directory, name: string, path: string, stat: BigIntStats): void {
    if (++seen > maxEntries) {
      // More than can be judged is not judged by halves.
      throw new ToolError(
        'FILE_TOO_LARGE',
        `${place.asked} holds more than ${maxEntries} entries. Take it in parts.`,
      );
    }
    if (path !== place.path) inside.push(path);
    if (stat.isDirectory()) {
      enter(parent, name, path);
      return;
    }
    blast.files++;
    blast.bytes += Number(stat.size);
    if (tracked !== undefined && !tracked.has(path)) blast.untracked = (blast.untracked ?? 0) + 1;
    if (stat.isSymbolicLink() && leaves(workspace.root.real, path, readlinkSync(parent.at(name))))
      blast.linksLeaving++;
  }

  function enter(parent: Directory, name: string, path: string): void {
    signal.throwIfAborted();
    blast.directories++;
    using directory = parent.openBelow(name);
    for (const entry of entriesOf(directory)) {
      const stat = lstatSync(directory.at(entry.name), { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined) count(directory, entry.name, `${path}/${entry.name}`, stat);
      else if (entry.name.includes('\ufffd')) throw unreadableName(path, entry.name);
    }
  }

  if (place.stat !== undefined) count(place.parent, place.name, place.path, place.stat);
  return { blast, inside };
}

// A name that is not UTF-8 cannot be reached, so what is below it cannot be judged.
function unreadableName(path: string, name: string): ToolError {
  return new ToolError(
    'ENCODING_ERROR',
    `${path} holds a name that is not UTF-8 (${name}); it is left whole. Rename that first.`,
  );
}

function leaves(root: string, linkPath: string, target: string): boolean {
  if (isAbsolute(target)) return target !== root && !target.startsWith(`${root}/`);
  let depth = linkPath.split('/').length - 1;
  for (const name of target.split('/')) {
    if (name === '..') depth--;
    else if (name !== '' && name !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
