// Draws up how mounts are made with `mount --all`: which mount points are needed, and the table in the form of fstab(5).

import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isWithin } from '../../workspace/state-folder.ts';
import type { Mount, MountPlan } from '../mounts/mount.ts';
import { closedFile, emptyFile, isFile } from './stand-ins.ts';

/** A mount point, as a path in the tree that is laid out; a link is copied from where it stands. */
export type MountPoint = { path: string; as: 'folder' | 'file' | { linkFrom: string } };

export type MountTable = { points: MountPoint[]; table: string };

/** What stands in the place of a folder: a numbered one of the tree, `0` being the new root, or one on the disk. */
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

/** `root` is the folder that the tree will be in. */
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

/** A mount point is made where it would stand in something that was replaced; otherwise it is there. */
function place({ replaced, points }: TableDraft, path: string, as: MountPoint['as']): void {
  const around = replaced.findLast((one) => isWithin(path, one.path));
  if (around === undefined) return;
  const inside = around.path === '/' ? path : path.slice(around.path.length);
  if (typeof around.by === 'number') points.push({ path: `${around.by}${inside}`, as });
  else if (as === 'folder') mkdirSync(`${around.by}${inside}`, { recursive: true });
}

function replace(sheet: TableDraft, path: string, options: string): void {
  const number = sheet.points.filter((point) => !point.path.includes('/')).length;
  // Where nothing is yet, what could be put there is kept from it: only git's hooks are hidden so.
  if (sheet.replaced.every((one) => !isWithin(path, one.path))) mkdirSync(path, { recursive: true });
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

// For its switches the kernel asks who owns them, not what he may: root without any right could still turn them.
function closeSwitches(sheet: TableDraft, path: string): void {
  if (process.geteuid?.() !== 0) return;
  for (const entry of readdirSync('/proc', { withFileTypes: true })) {
    if (/^\d+$/.test(entry.name) || entry.isSymbolicLink()) continue;
    const isSwitch = entry.isDirectory() || (statSync(`/proc/${entry.name}`).mode & 0o222) !== 0;
    if (isSwitch) add(sheet, `${sheet.root}/0${path}/${entry.name}`, `${path}/${entry.name}`, readOnly);
  }
}

type DiskMount = { path: string; isNoexec: boolean };

/** What is mounted below it is made read-only as well, each with the restrictions that the machine put on it. */
function show(sheet: TableDraft, path: string, onDisk: readonly DiskMount[]): void {
  const around = onDisk.findLast((one) => isWithin(path, one.path));
  const below = onDisk.filter((one) => one.path !== path && isWithin(one.path, path) && !isRebuilt(one));
  for (const one of [{ path, isNoexec: around?.isNoexec === true }, ...below])
    add(sheet, one.path, one.path, `r${readOnly}${one.isNoexec ? ',noexec' : ''}`);
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
