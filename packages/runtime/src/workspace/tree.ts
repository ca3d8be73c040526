// Work on whole directory trees by descriptor: counting, copying and removing never follow a link, whatever is swapped meanwhile.
import {
  closeSync,
  constants,
  type Dirent,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { Directory } from './directory.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const chunkBytes = 1024 * 1024;

/** The entries of an open directory, in a stable order. */
export function entriesOf(directory: Directory): Dirent[] {
  return readdirSync(directory.at('.'), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

/** Removes what stands at `name`, with everything below it; a directory closed to its own owner is opened first. */
export function removeTree(parent: Directory, name: string): void {
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    unlinkSync(parent.at(name));
    return;
  }
  {
    using directory = parent.openBelow(name);
    if ((stat.mode & 0o300) !== 0o300) fchmodSync(directory.fd, stat.mode | 0o700);
    for (const entry of entriesOf(directory)) removeTree(directory, entry.name);
  }
  rmdirSync(parent.at(name));
}

/** Copies what stands at `name` to `toParent/toName`, links as links, with modes and times. A copy cut short before is completed. */
export function copyTree(parent: Directory, name: string, toParent: Directory, toName: string): void {
  const stat = lstatSync(parent.at(name));
  const target = toParent.at(toName);
  const present = lstatSync(target, { throwIfNoEntry: false });
  if (stat.isFile()) {
    if (present?.isFile() && present.size === stat.size) return;
    removeTree(toParent, toName);
    copyFile(parent.at(name), target, stat);
  }
  if (stat.isSymbolicLink() && present === undefined) symlinkSync(readlinkSync(parent.at(name)), target);
  if (!stat.isDirectory()) return;
  if (present === undefined) mkdirSync(target, 0o700);
  using from = parent.openBelow(name);
  using to = toParent.openBelow(toName);
  for (const entry of entriesOf(from)) copyTree(from, entry.name, to, entry.name);
  fchmodSync(to.fd, stat.mode & 0o7777);
}

// By descriptor, so that a link or a FIFO swapped in is neither followed nor waited on.
function copyFile(source: string, target: string, seen: Stats): void {
  const from = openSync(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fstatSync(from);
    if (stat.ino !== seen.ino || stat.dev !== seen.dev)
      throw Object.assign(new Error(`changed while it was copied: ${source}`), { code: 'ELOOP' });
    const to = openSync(target, O_WRONLY | O_CREAT | O_EXCL, 0o600);
    try {
      copyBytes(from, to);
      fchmodSync(to, stat.mode & 0o7777);
      futimesSync(to, stat.atime, stat.mtime);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

function copyBytes(from: number, to: number): void {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const got = readSync(from, chunk, 0, chunk.length, null);
    if (got === 0) return;
    for (let done = 0; done < got; ) done += writeSync(to, chunk, done, got - done);
  }
}
