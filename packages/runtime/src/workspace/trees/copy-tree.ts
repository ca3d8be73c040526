// Copies a tree by descriptor: links as links, several names of one file as such, with owners, modes, times and holes. Losses are reported.
// An interrupted copy is completed: an entry with the size and time of its original counts as whole.
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { countPieces, type Pieces, type Steps } from '../../platform/steps.ts';
import { type Directory, type Name, type RawEntry, readNames } from '../directory.ts';
import { unlessGone } from '../fault.ts';
import {
  addLoss,
  type ContentCopier,
  contentCopier,
  copyContent,
  hasTimeOf,
  type Losses,
  type LossKind,
  makeFifo,
  noLosses,
  setAttributes,
  setLinkAttributes,
} from './copy-content.ts';
import { isSameFile, type KnownFiles, knownFiles } from './known-files.ts';
import { openOwn, removeTreeInSteps } from './remove-tree.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, S_IFMT } = constants;
const fileType = BigInt(S_IFMT);

/** Paths are relative to the copied entry, which is `.`. */
export type CopyReport = Losses & { files: number; bytes: number };

type CopyState = {
  pieces: Pieces;
  losses: Losses;
  content: ContentCopier;
  known: KnownFiles;
  /** The folders being copied, from the outermost to the innermost. A list, because a tree may be deeper than the stack. */
  open: Open[];
};

/** The names that lead to an entry, from the last to the first. */
type Trail = { name: Name; above: Trail | undefined };

/** One entry: its source, its target, and the names that lead to it. */
type Entry = {
  from: Directory;
  name: Name;
  to: Directory;
  toName: Name;
  /** Undefined for the copied root entry. */
  trail: Trail | undefined;
  /** The target's folder is new, so the target can't exist. */
  isNew: boolean;
};

type Open = {
  entry: Entry;
  stat: BigIntStats;
  from: Directory;
  to: Directory;
  isNew: boolean;
  remaining: RawEntry[];
  opened: Disposable;
};

export function* copyTreeInSteps(
  from: Directory,
  name: string,
  to: Directory,
  toName: string,
): Steps<CopyReport> {
  const pieces = countPieces();
  const [content, known, losses] = [contentCopier(pieces), knownFiles(to, toName), noLosses()];
  const copying: CopyState = { pieces, losses, content, known, open: [] };
  const stat = lstatSync(from.at(name), { bigint: true });
  try {
    yield* copyEntry(copying, { from, name, to, toName, trail: undefined, isNew: false }, stat);
    for (let here = copying.open.at(-1); here !== undefined; here = copying.open.at(-1))
      yield* copyNext(copying, here);
  } finally {
    for (const { opened } of copying.open) opened[Symbol.dispose]();
  }
  for (const names of known.withNamesElsewhere()) addLoss(losses, pathOf(names), 'hard link');
  return { ...pieces.done, ...losses };
}

/** The next entry of a folder; after the last one the folder itself gets its attributes. */
function* copyNext(copying: CopyState, here: Open): Steps<void> {
  const { entry, stat, from, to, isNew, remaining, opened } = here;
  const name = remaining.pop()?.name;
  if (name !== undefined) {
    const below = lstatSync(from.at(name), { bigint: true, throwIfNoEntry: false });
    const next = { from, name, to, toName: name, trail: { name, above: entry.trail }, isNew };
    if (below !== undefined) yield* copyEntry(copying, next, below);
    return;
  }
  setAttributes(to.fd, stat, (what) => lose(copying, entry, what));
  copying.open.pop();
  opened[Symbol.dispose]();
  yield* copying.pieces.pause(1);
}

/** Copies the entry; a folder is only created, and its content follows. */
function* copyEntry(copying: CopyState, entry: Entry, stat: BigIntStats): Steps<void> {
  if (stat.isDirectory()) yield* openFolder(copying, entry);
  else if (stat.isSocket()) lose(copying, entry, 'socket');
  else if (stat.isBlockDevice() || stat.isCharacterDevice()) lose(copying, entry, 'device');
  else yield* copyOther(copying, entry, stat);
  yield* copying.pieces.pause(1);
}

function* openFolder(copying: CopyState, entry: Entry): Steps<void> {
  using opened = new DisposableStack();
  const isNew = entry.isNew || (yield* isFree(entry, (present) => present.isDirectory()));
  const from = unlessGone(() => entry.from.openBelow(entry.name));
  if (from === undefined) return;
  opened.use(from);
  const stat = fstatSync(from.fd, { bigint: true });
  if (isNew) mkdirSync(entry.to.at(entry.toName), 0o700);
  const to = openOwn(entry.to, entry.toName);
  if (typeof to === 'string') throw changedMeanwhile(entry);
  opened.use(to);
  if (!isNew) fchmodSync(to.fd, 0o700);
  const here: Open = { entry, stat, from, to, isNew, remaining: [], opened: opened.move() };
  copying.open.push(here);
  here.remaining = yield* readNames(from, copying.pieces);
}

function* copyOther(copying: CopyState, entry: Entry, stat: BigIntStats): Steps<void> {
  const { known, pieces } = copying;
  const { to, toName, trail } = entry;
  if (entry.isNew || (yield* isFree(entry, (present) => isWhole(copying, entry, present, stat)))) {
    const linked = known.link(stat, to, toName);
    if (linked === 'refused') lose(copying, entry, 'hard link');
    if (linked !== 'linked' && !(yield* makeOther(copying, entry, stat))) return;
  } else if (stat.isFile()) pieces.done.bytes += Number(stat.size);
  known.add(
    stat,
    () => namesOf(trail),
    () => lstatSync(to.at(toName), { bigint: true }),
  );
  pieces.done.files++;
}

/** Whether the target can be written; an entry that must not stay there is removed. */
function* isFree({ to, toName }: Entry, mayStay: (present: BigIntStats) => boolean): Steps<boolean> {
  const present = lstatSync(to.at(toName), { bigint: true, throwIfNoEntry: false });
  if (present === undefined) return true;
  if (mayStay(present)) return false;
  yield* removeTreeInSteps(to, toName);
  return true;
}

// A copy gets its time last, so an interrupted copy has another time.
function isWhole({ known }: CopyState, entry: Entry, present: BigIntStats, stat: BigIntStats): boolean {
  return (
    (present.mode & fileType) === (stat.mode & fileType) &&
    present.size === stat.size &&
    hasTimeOf(present, stat) &&
    known.isCopyOf(present, stat) &&
    (!stat.isSymbolicLink() || linkText(entry.to, entry.toName).equals(linkText(entry.from, entry.name)))
  );
}

/** False when there is no copy, because the original is gone or can't be copied. */
function* makeOther(copying: CopyState, entry: Entry, stat: BigIntStats): Steps<boolean> {
  if (stat.isFile()) return yield* copyFile(copying, entry, stat);
  const { from, name, to, toName } = entry;
  if (stat.isSymbolicLink()) {
    const target = to.at(toName);
    symlinkSync(linkText(from, name), target);
    setLinkAttributes(target, stat, (what) => lose(copying, entry, what));
    return true;
  }
  if (!makeFifo(to, toName)) {
    lose(copying, entry, 'FIFO');
    return false;
  }
  // O_NONBLOCK keeps the open from waiting for a process at the other end.
  const fd = openSync(to.at(toName), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    setAttributes(fd, stat, (what) => lose(copying, entry, what));
    return true;
  } finally {
    closeSync(fd);
  }
}

// Copies by descriptor, so that a link or a FIFO swapped in is neither followed nor waited for.
function* copyFile(copying: CopyState, entry: Entry, seenStat: BigIntStats): Steps<boolean> {
  const { from, name, to, toName } = entry;
  const source = unlessGone(() => openSync(from.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  if (source === undefined) return false;
  try {
    const stat = fstatSync(source, { bigint: true });
    if (!isSameFile(stat, seenStat)) throw changedMeanwhile(entry);
    const target = openSync(to.at(toName), O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      const bytes = yield* copyContent(copying.content, source, target, stat);
      const now = fstatSync(source, { bigint: true });
      if (BigInt(bytes) !== stat.size || now.size !== stat.size || now.mtimeNs !== stat.mtimeNs)
        throw changedMeanwhile(entry);
      setAttributes(target, stat, (what) => lose(copying, entry, what));
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
  return true;
}

function linkText(directory: Directory, name: Name): Buffer {
  return readlinkSync(directory.at(name), { encoding: 'buffer' });
}

function lose({ losses }: CopyState, { trail }: Entry, what: LossKind): void {
  addLoss(losses, pathOf(namesOf(trail)), what);
}

function changedMeanwhile({ trail, name }: Entry): ToolError {
  const path = trail === undefined ? name.toString() : pathOf(namesOf(trail));
  return new ToolError(
    'STALE',
    `${path} was changed while it was copied. End what writes to it, then try again.`,
  );
}

function namesOf(trail: Trail | undefined): Name[] {
  const names: Name[] = [];
  for (let at = trail; at !== undefined; at = at.above) names.unshift(at.name);
  return names;
}

function pathOf(names: readonly Name[]): string {
  return names.length === 0 ? '.' : names.map(String).join('/');
}
