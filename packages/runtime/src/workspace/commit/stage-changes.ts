// Prepares everything beside its place before anything is touched: creates folders and writes new content to temp files. Disposing removes
// all of it, unless it was kept.
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { type Access, ToolError } from '@codelab/protocol';
import { runInTurns } from '../../platform/steps.ts';
import type { Directory } from '../directory.ts';
import type { Located } from '../locate.ts';
import { removeTreeInSteps } from '../trees/remove-tree.ts';
import { removeTree } from '../trees/tree.ts';
import { makeParents, type Parents, type Workspace } from '../workspace.ts';
import { isMovable, linkBack } from './bring-back.ts';
import { type Change, modesOfNew, mustStayItself } from './change.ts';
import { failedAt } from './failed-at-path.ts';

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;

/** A change with its places held open; `fd` is its temp file when that needs a sync. */
export type StagedChange = {
  change: Change;
  place: Located;
  from: Located | undefined;
  /** The lowest directory that existed before. */
  above: Directory | undefined;
  fd: number | undefined;
  /** Whether the temp name is ours: one that existed before is left alone. */
  hasTemp: boolean;
  /** The content of the file is overwritten; the old content is in the pack of the set. */
  isInPlace: boolean;
  /** The file was overwritten instead of replaced, because a new file would lose its other names or its owner. */
  isRewritten: boolean;
  /** The quarantined item has to be copied to the temp name, which takes time: see `copyKept`. */
  isToBeCopied: boolean;
  /** A quarantined folder that is moved back, not copied. */
  isMovedBack: boolean;
  /** The file was removed, and waits under its temp name to be copied to a quarantine on another device. */
  isAside: boolean;
  /** The set failed, and this change is as it was before. */
  isReverted: boolean;
};

/** `left`: created folders that disposing could not remove. */
export type StagedSet = Disposable & { staged: StagedChange[]; left(): string[]; keep(): void };

type Options = { inPlace?: boolean };

export function stageChanges(
  workspace: Workspace,
  home: string,
  changes: readonly Change[],
  options: Options = {},
): StagedSet {
  return workspace.together(() => stageEach(workspace, home, changes, options));
}

function stageEach(
  workspace: Workspace,
  home: string,
  changes: readonly Change[],
  { inPlace = false }: Options,
): StagedSet {
  const staged: StagedChange[] = [];
  const open: Disposable[] = [];
  const parents: Parents[] = [];
  const modes = modesOfNew(changes.map(({ intent }) => intent));
  let isKept = false;
  const end = (): void => {
    for (const { change, place, fd, hasTemp } of staged) {
      if (fd !== undefined) closeSync(fd);
      if (!isKept && hasTemp && 'temp' in change) removeQuietly(place, change.temp);
    }
    for (const newParents of parents.toReversed()) {
      if (isKept) newParents.keep();
      newParents[Symbol.dispose]();
    }
    for (const place of open) place[Symbol.dispose]();
  };
  let change: Change | undefined;
  try {
    for (change of changes) {
      const { place, from, above } = findPlaces(workspace, change, { open, parents, modes });
      const isInPlace = inPlace && isRewritable(change) && place.stat?.isFile() === true;
      const stagedChange: StagedChange = {
        change,
        place,
        from,
        above,
        fd: undefined,
        hasTemp: change.op === 'move' && change.temp !== undefined,
        isInPlace,
        isRewritten: false,
        isToBeCopied: false,
        isMovedBack: false,
        isAside: false,
        isReverted: false,
      };
      staged.push(stagedChange);
      if (change.op === 'put') prepare(stagedChange, change, home);
    }
  } catch (error) {
    end();
    throw failedAt(error, change?.intent.path ?? '', { home, workspace });
  }
  return {
    staged,
    left: () => parents.flatMap((newParents) => newParents.left),
    keep: () => (isKept = true),
    [Symbol.dispose]: end,
  };
}

/** A file whose old content is in memory may be overwritten instead of replaced. */
export function isRewritable(change: Change): boolean {
  return change.op === 'put' && change.old !== undefined && 'bytes' in change.source;
}

function accessOf({ op }: Change): Access {
  switch (op) {
    case 'put':
    case 'move':
      return 'write';
    case 'mkdir':
      return 'create';
    case 'remove':
    case 'rmdir':
      return 'delete';
  }
}

// One file under two names: the second change would silently overwrite the first, and the stored old content of one would change with the
// other.
export function refuseTwins(staged: readonly StagedChange[]): void {
  const stagedByFile = new Map<string, StagedChange>();
  for (const stagedChange of staged) {
    const stat = stagedChange.change.op === 'move' ? stagedChange.from?.stat : stagedChange.place.stat;
    if (stat === undefined || !stat.isFile() || stat.nlink < 2n) continue;
    const key = `${stat.dev}:${stat.ino}`;
    const twin = stagedByFile.get(key);
    stagedByFile.set(key, stagedChange);
    if (twin === undefined || (isApart(twin.change) && isApart(stagedChange.change))) continue;
    const [a, b] = [twin.change.intent.path, stagedChange.change.intent.path];
    const text = `${a} and ${b} are two names of one file (a hard link). Change it under one name only; nothing was changed.`;
    throw new ToolError('INVALID_ARGUMENTS', text, { paths: [a, b] });
  }
}

/** The change does not affect the file under its other names. */
function isApart(change: Change): boolean {
  return change.op === 'remove' || (change.op === 'put' && change.isReplacing === true);
}

type Places = Pick<StagedChange, 'place' | 'from' | 'above'>;
type StagingPlaces = { open: Disposable[]; parents: Parents[]; modes: ReadonlyMap<string, number> };

function findPlaces(workspace: Workspace, change: Change, { open, parents, modes }: StagingPlaces): Places {
  const find = (path: string): Located => {
    const place = workspace.locate(path, {
      followLast: false,
      access: accessOf(change),
      pathChars: Number.MAX_SAFE_INTEGER,
      isRecorded: true,
    });
    open.push(place);
    return place;
  };
  const target = find(change.intent.path);
  const needed =
    change.op === 'mkdir' ? { ...target, missing: [...target.missing, target.name], name: '.' } : target;
  const isNeeded =
    change.op === 'put' || change.op === 'move' || (change.op === 'mkdir' && target.stat === undefined);
  if (!isNeeded) return { place: target, from: undefined, above: undefined };
  const newParents = makeParents(needed, modes);
  parents.push(newParents);
  const from =
    change.op === 'move' && change.intent.from !== undefined ? find(change.intent.from) : undefined;
  return { place: newParents.place, from, above: target.parent };
}

function prepare(staged: StagedChange, change: Extract<Change, { op: 'put' }>, home: string): void {
  const { place } = staged;
  const target = place.parent.at(place.name);
  const old = place.stat;
  // A rename would bypass the file's own mode; restored content was approved with the mode it has now.
  if (old !== undefined && !old.isSymbolicLink() && 'bytes' in change.source)
    accessSync(target, constants.W_OK);
  if (staged.isInPlace || (old !== undefined && mustStayItself(target, change))) return;
  if ('link' in change.source) {
    symlinkSync(change.source.link, place.parent.at(change.temp));
    staged.hasTemp = true;
    return;
  }
  if (!('bytes' in change.source)) {
    staged.isMovedBack = isMovable(change.source.kept, place, home);
    if (staged.isMovedBack) return;
    staged.isToBeCopied = !linkBack(change.source.kept, place, change.temp, home);
    staged.hasTemp = true;
    return;
  }
  const { bytes, mode } = change.source;
  const flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW;
  const fd = openSync(place.parent.at(change.temp), flags, old === undefined ? mode : 0o600);
  staged.hasTemp = true;
  staged.fd = fd;
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  if (old !== undefined) setOwnerAndMode(fd, old, mode);
  // A restored file gets its old mode, whatever the mode of new files.
  else if ((mode & process.umask()) !== 0) fchmodSync(fd, mode);
}

function setOwnerAndMode(fd: number, old: BigIntStats, requestedMode: number): void {
  const fresh = fstatSync(fd, { bigint: true });
  let mode = requestedMode;
  if (fresh.uid !== old.uid || fresh.gid !== old.gid) {
    try {
      fchownSync(fd, Number(old.uid), Number(old.gid));
    } catch {
      // The owner can't be preserved without privilege; then the setuid and setgid bits must not be either.
      mode &= 0o0777;
    }
  }
  fchmodSync(fd, mode);
}

function removeQuietly(place: Located, temp: string): void {
  try {
    removeTree(place.parent, temp);
  } catch {
    // Never created, or the disk no longer answers: the reported failure is the one that matters.
  }
}

/** Folders that were copied, or are half copied, go in turns; disposing the stage removes the other temp files. */
export async function removeCopies(staged: readonly StagedChange[]): Promise<void> {
  for (const { change, place, isToBeCopied } of staged)
    if (isToBeCopied && 'temp' in change && change.temp !== undefined)
      await runInTurns(removeTreeInSteps(place.parent, change.temp)).catch(() => undefined);
}
