// Work on whole directory trees by descriptor: counting, copying and removing never follow a link, whatever is swapped meanwhile.
import {
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import type { Directory } from './directory.ts';

const { COPYFILE_EXCL, O_RDONLY, O_DIRECTORY } = constants;

/** The entries of an open directory, in a stable order. */
export function entriesOf(directory: Directory): Dirent[] {
  return readdirSync(directory.at('.'), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

/** Removes what stands at `name`, with everything below it. */
export function removeTree(parent: Directory, name: string): void {
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    unlinkSync(parent.at(name));
    return;
  }
  {
    using directory = parent.openBelow(name);
    for (const entry of entriesOf(directory)) removeTree(directory, entry.name);
  }
  rmdirSync(parent.at(name));
}

/** Copies what stands at `name` to `toParent/toName`, links as links, with modes and times. */
export function copyTree(parent: Directory, name: string, toParent: Directory, toName: string): void {
  const stat = lstatSync(parent.at(name));
  const target = toParent.at(toName);
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(parent.at(name)), target);
  if (stat.isFile()) {
    copyFileSync(parent.at(name), target, COPYFILE_EXCL);
    utimesSync(target, stat.atime, stat.mtime);
  }
  if (!stat.isDirectory()) return;
  mkdirSync(target, 0o700);
  using from = parent.openBelow(name);
  using to = toParent.openBelow(toName);
  for (const entry of entriesOf(from)) copyTree(from, entry.name, to, entry.name);
  const fd = openSync(to.at('.'), O_RDONLY | O_DIRECTORY);
  fchmodSync(fd, stat.mode & 0o7777);
  closeSync(fd);
}
