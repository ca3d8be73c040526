// Builds the table for `mount --all`: the mount points that are needed, and the mounts in the form of fstab(5).

import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { isWithin } from '../../workspace/state-folder.ts';
import type { Mount, MountPlan } from '../mounts/mount.ts';
import { closedFile, emptyFile, isFile } from './stand-ins.ts';

/** A mount point, as a path in the prepared tree; a link is copied from the machine. */
export type MountPoint = { path: string; as: 'folder' | 'file' | { linkFrom: string } };

export type MountTable = { points: MountPoint[]; table: string };

/** The replacement of a folder: a numbered folder of the tree, `0` being the new root, or a folder on the disk. */
type ReplacedFolder = { path: string; by: number | string };
type TableDraft = {
  home: string;
  root: string;
  replaced: ReplacedFolder[];
  points: MountPoint[];
  lines: string[];
};

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const deviceLinks = ['fd', 'stdin', 'stdout', 'stderr'];

/** `root` is the folder that will hold the tree. */
export function createMountTable(plan: MountPlan, home: string, root: string): MountTable {
  const sheet: TableDraft = { home, root, replaced: [], points: [{ path: '0', as: 'folder' }], lines: [] };
  const onDisk = otherMounts();
  if (plan.isEmptyRoot) {
    sheet.replaced.push({ path: '/', by: 0 });
    add(sheet, `${root}/0`, '/', readOnly);
  } else show(sheet, '/', onDisk);
  for (const mount of plan.mounts) draw(sheet, mount, onDisk);
  return { points: sheet.points, table: `${sheet.lines.join('\n')}\n` };
}

const readOnly = 'bind,ro,nosuid,nodev';

function draw(sheet: TableDraft, mount: Mount, onDisk: readonly DiskMount[]): void {
  const { path } = mount;
  switch (mount.as) {
    case 'devices':
      drawDevices(sheet, path);
      break;
    case 'processes':
      place(sheet, path, 'folder');
      add(sheet, 'proc', path, 'nosuid,nodev,noexec', 'proc');
      closeSwitches(sheet, path);
      break;
    case 'hidden':
      if (isFile(path)) add(sheet, emptyFile(sheet.home), path, readOnly);
      else replace(sheet, path, readOnly);
      break;
    case 'closed':
      add(sheet, closedFile(sheet.home), path, readOnly);
      break;
    case 'scratch':
      replace(sheet, path, 'bind');
      break;
    case 'tmp':
      place(sheet, path, 'folder');
      add(sheet, mount.from, path, mount.isReadOnly ? readOnly : 'bind');
      sheet.replaced.push({ path, by: mount.from });
      break;
    case 'copy':
      place(sheet, path, 'file');
      add(sheet, mount.from, path, readOnly);
      break;
    case 'link':
      place(sheet, path, { linkFrom: path });
      break;
    case 'shown':
    case 'kept':
      place(sheet, path, isFile(path) ? 'file' : 'folder');
      show(sheet, path, onDisk);
      break;
    case 'writable':
      place(sheet, path, 'folder');
      add(sheet, path, path, 'rbind');
  }
}

/** A mount point is created when it is inside something that was replaced; otherwise the path exists. */
function place({ replaced, points }: TableDraft, path: string, kind: MountPoint['as']): void {
  const outer = replaced.findLast((folder) => isWithin(path, folder.path));
  if (outer === undefined) return;
  const inside = outer.path === '/' ? path : path.slice(outer.path.length);
  if (typeof outer.by === 'number') points.push({ path: `${outer.by}${inside}`, as: kind });
  else if (kind === 'folder') mkdirSync(`${outer.by}${inside}`, { recursive: true });
}

function replace(sheet: TableDraft, path: string, options: string): void {
  const number = sheet.points.filter((point) => !point.path.includes('/')).length;
  // A missing hooks folder is created and hidden, so that no hooks can be added; nothing else is hidden before it exists.
  if (sheet.replaced.every((folder) => !isWithin(path, folder.path))) mkdirSync(path, { recursive: true });
  place(sheet, path, 'folder');
  sheet.points.push({ path: String(number), as: 'folder' });
  add(sheet, `${sheet.root}/${number}`, path, options);
  sheet.replaced.push({ path, by: number });
}

function drawDevices(sheet: TableDraft, path: string): void {
  replace(sheet, path, 'bind');
  for (const name of devices) {
    place(sheet, `${path}/${name}`, 'file');
    add(sheet, `/dev/${name}`, `${path}/${name}`, 'bind');
  }
  for (const name of deviceLinks) place(sheet, `${path}/${name}`, { linkFrom: `/dev/${name}` });
  for (const name of ['shm', 'pts']) place(sheet, `${path}/${name}`, 'folder');
  place(sheet, `${path}/ptmx`, 'file');
  add(sheet, 'devpts', `${path}/pts`, 'nosuid,noexec,newinstance,ptmxmode=0666,mode=0620', 'devpts');
  add(sheet, `${sheet.root}/0${path}/pts/ptmx`, `${path}/ptmx`, 'bind');
}

// For its switches in /proc the kernel checks the owner, not the capabilities: root without any capability could still change them.
function closeSwitches(sheet: TableDraft, path: string): void {
  if (process.geteuid?.() !== 0) return;
  // The listing has names only: with file types, Node examines a process that has ended since, and fails.
  for (const name of readdirSync('/proc')) {
    const entry = /^\d+$/.test(name) ? undefined : lstatSync(`/proc/${name}`, { throwIfNoEntry: false });
    if (entry === undefined || entry.isSymbolicLink()) continue;
    const isSwitch = entry.isDirectory() || (entry.mode & 0o222) !== 0;
    if (isSwitch) add(sheet, `${sheet.root}/0${path}/${name}`, `${path}/${name}`, readOnly);
  }
}

type DiskMount = { path: string; isNoexec: boolean };

/** Mounts below the path are made read-only as well, each with the restrictions that the machine gave it. */
function show(sheet: TableDraft, path: string, onDisk: readonly DiskMount[]): void {
  const outer = onDisk.findLast((mount) => isWithin(path, mount.path));
  const below = onDisk.filter(
    (mount) => mount.path !== path && isWithin(mount.path, path) && !isRebuilt(mount),
  );
  for (const mount of [{ path, isNoexec: outer?.isNoexec === true }, ...below])
    add(sheet, mount.path, mount.path, `r${readOnly}${mount.isNoexec ? ',noexec' : ''}`);
}

function isRebuilt({ path }: DiskMount): boolean {
  return isWithin(path, '/proc') || isWithin(path, '/dev');
}

function otherMounts(): DiskMount[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, , , , path = '', options = ''] = line.split(' ');
      return { path: unescaped(path), isNoexec: options.split(',').includes('noexec') };
    });
}

function add(
  { lines, root }: TableDraft,
  source: string,
  path: string,
  options: string,
  type = 'none',
): void {
  const target = `${root}/0${path === '/' ? '' : path}`;
  lines.push(`${escaped(source)} ${escaped(target)} ${type} ${options} 0 0`);
}

function escaped(path: string): string {
  return path.replace(/[\s\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
