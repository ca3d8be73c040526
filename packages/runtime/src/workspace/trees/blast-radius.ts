// The extent of a deletion: files, bytes, content that git does not have, links that lead outside, special files, and losses of a copy.
// Counted in steps, between other work.
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type BlastRadius, ToolError } from '@codelab/protocol';
import { countPieces, type Pieces, runInTurns, type Steps } from '../../platform/steps.ts';
import { type Directory, type RawEntry, readNames } from '../directory.ts';
import { fault } from '../fault.ts';
import type { Located } from '../locate.ts';
import type { Workspace } from '../workspace.ts';
import { addLoss, canMakeFifos, type Losses, noLosses, ownersToGive } from './copy-content.ts';
import { readTracked } from './git-index.ts';

const maxEntries = 200_000;
const maxSorted = 10_000;

export type DeletionReach = {
  blast: BlastRadius;
  /** The paths of everything below. */
  inside: string[];
  /** The losses of a copy. */
  losses: Losses;
  /** The folders at which another device begins. */
  mounts: string[];
};

export async function blastRadius(
  workspace: Workspace,
  place: Located,
  signal: AbortSignal,
): Promise<DeletionReach> {
  try {
    return await runInTurns(count(workspace, place), { signal });
  } catch (error) {
    throw fault(error, place.asked);
  }
}

type CountState = DeletionReach & {
  workspace: Workspace;
  place: Located;
  pieces: Pieces;
  tracked: Set<string> | undefined;
  hasFifos: boolean;
  mayGive: ReturnType<typeof ownersToGive>;
  /** Files with several names, each with the number of names not found yet. */
  linked: Map<string, { path: string; namesLeft: bigint }>;
  /** The folders being counted, from the outermost to the innermost. A list, because a tree may be deeper than the stack. */
  open: OpenFolder[];
  seen: number;
};

type OpenFolder = { folder: Directory; path: string; left: RawEntry[] };

type Entry = { parent: Directory; name: string; path: string; stat: BigIntStats };

function* count(workspace: Workspace, place: Located): Steps<DeletionReach> {
  const tracked = readTracked(workspace);
  const untracked = tracked === undefined ? null : 0;
  const blast = { files: 0, directories: 0, bytes: 0, diskBytes: 0, untracked, linksLeaving: 0 };
  const reach: DeletionReach = { blast, inside: [], losses: noLosses(), mounts: [] };
  if (place.stat === undefined) return reach;
  const counting: CountState = {
    ...reach,
    workspace,
    place,
    tracked,
    pieces: countPieces(),
    hasFifos: canMakeFifos(),
    mayGive: ownersToGive(),
    linked: new Map(),
    open: [],
    seen: 0,
  };
  try {
    yield* countEntry(counting, { ...place, stat: place.stat });
    for (let here = counting.open.at(-1); here !== undefined; here = counting.open.at(-1))
      yield* countNext(counting, here);
  } finally {
    for (const { folder } of counting.open) folder[Symbol.dispose]();
  }
  for (const { path, namesLeft } of counting.linked.values())
    if (namesLeft > 0n) addLoss(reach.losses, path, 'hard link');
  return reach;
}

function* countEntry(counting: CountState, entry: Entry): Steps<void> {
  const { place, blast, inside, pieces } = counting;
  if (++counting.seen > maxEntries)
    // A tree that is too large to judge fully is refused.
    throw new ToolError(
      'FILE_TOO_LARGE',
      `${place.asked} holds more than ${maxEntries} entries. Take it in parts.`,
    );
  const { path, stat } = entry;
  if (path !== place.path) inside.push(path);
  if (isFirstName(counting, entry)) blast.diskBytes = (blast.diskBytes ?? 0) + Number(stat.blocks) * 512;
  countLosses(counting, entry);
  if (stat.isDirectory()) yield* openFolder(counting, entry);
  else countFile(counting, entry);
  // Reading a stat costs about a tenth of copying.
  yield* pieces.pause(1 / 8);
}

function* openFolder(counting: CountState, { parent, name, path, stat }: Entry): Steps<void> {
  counting.blast.directories++;
  if (stat.dev !== lstatSync(parent.at('.'), { bigint: true }).dev) counting.mounts.push(path);
  const here: OpenFolder = { folder: parent.openBelow(name), path, left: [] };
  counting.open.push(here);
  here.left = yield* readNames(here.folder, counting.pieces);
  // Names are taken from the end. Sorting decides which are shown first; very many names are not worth the pause.
  if (here.left.length <= maxSorted) here.left.sort((a, b) => (a.name < b.name ? 1 : -1));
}

function* countNext(counting: CountState, { folder, path, left }: OpenFolder): Steps<void> {
  const name = left.pop()?.name;
  if (name === undefined) {
    counting.open.pop();
    folder[Symbol.dispose]();
    return;
  }
  if (typeof name !== 'string') throw unreadableName(path, name);
  const stat = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  if (stat !== undefined)
    yield* countEntry(counting, { parent: folder, name, path: `${path}/${name}`, stat });
}

function countFile({ workspace, blast, tracked }: CountState, { parent, name, path, stat }: Entry): void {
  blast.files++;
  blast.bytes += Number(stat.size);
  if (tracked !== undefined && !tracked.has(path)) blast.untracked = (blast.untracked ?? 0) + 1;
  if (stat.isSymbolicLink() && leaves(workspace.root.real, path, readlinkSync(parent.at(name))))
    blast.linksLeaving++;
}

function isFirstName({ linked }: CountState, { path, stat }: Entry): boolean {
  if (stat.isDirectory() || stat.nlink < 2n) return true;
  const key = `${stat.dev}:${stat.ino}`;
  const linkedFile = linked.get(key);
  if (linkedFile === undefined) linked.set(key, { path, namesLeft: stat.nlink - 1n });
  else linkedFile.namesLeft--;
  return linkedFile === undefined;
}

function countLosses({ losses, hasFifos, mayGive }: CountState, { path, stat }: Entry): void {
  if (stat.isSocket()) addLoss(losses, path, 'socket');
  else if (stat.isBlockDevice() || stat.isCharacterDevice()) addLoss(losses, path, 'device');
  else if (stat.isFIFO() && !hasFifos) addLoss(losses, path, 'FIFO');
  else {
    const { owner, group } = mayGive(stat);
    if (!owner) addLoss(losses, path, 'owner');
    if (!group) addLoss(losses, path, 'group');
  }
}

// Rules match paths as text, so entries below a name that is not text can't be judged.
function unreadableName(path: string, name: Buffer): ToolError {
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
