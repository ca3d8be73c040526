// CodeLab's own state folder (keys, rules, the log) and the folder of the key that signs the log. No tool may reach either by any path, so
// they are recognized by identity (device and inode), which stays the same behind links, bind mounts and `..`.
import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { lazily, ToolError } from '@codelab/protocol';
import { ensureFolder } from '../platform/database-lock.ts';
import { readProc } from '../platform/system.ts';
import { stateFault } from './fault.ts';

type Folder = { real: string; dev: bigint; ino: bigint };

/** All rules for the state folder also apply to the folder of keys; it is absent where none could be created. */
export type StateFolder = Folder & { keys: Folder | undefined };

type Inode = { dev: bigint; ino: bigint };

// No system call takes a longer path.
const maxPathChars = 4096;

export function openStateFolder(home: string): StateFolder {
  try {
    // The folder has no identity (device and inode) before it exists.
    ensureFolder(home);
    return { ...folderAt(home), keys: openKeys() };
  } catch (error) {
    const known = stateFault(error, home);
    if (known !== undefined) throw known;
    const why = error instanceof Error ? error.message : String(error);
    const text = `The state folder can't be opened (${why}). Name another one in CODELAB_HOME.`;
    throw new ToolError('IO_ERROR', text);
  }
}

function folderAt(path: string): Folder {
  const real = realpathSync(path);
  const { dev, ino } = statSync(real, { bigint: true });
  return { real, dev, ino };
}

// The folder is created even when no key is needed yet: an already running sandbox could see a folder that is created later.
function openKeys(): Folder | undefined {
  try {
    ensureFolder(keyFolder());
    return folderAt(keyFolder());
  } catch {
    return undefined;
  }
}

export function stateFolders(state: StateFolder): Folder[] {
  return state.keys === undefined ? [state] : [state, state.keys];
}

/** Whether this is the state folder itself, or the folder of keys. */
export function isStateFolder(state: StateFolder, stat: Inode): boolean {
  return stateFolders(state).some((folder) => hasSameInode(folder, stat));
}

export function hasSameInode(a: Inode, b: Inode): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** The message names neither the path nor anything in it, so that it reveals nothing about the state folder. */
export function stateFolderError(): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'This leads to CodeLab’s own state folder, which no tool may read or change. Use another path.',
    { rule: 'state-folder' },
  );
}

export function isStateFolderError(error: unknown): boolean {
  return error instanceof ToolError && error.details?.rule === 'state-folder';
}

/** Whether an absolute path is the state folder or lies in it. A missing path counts by the folder it would be created in. */
export function leadsToState(state: StateFolder, path: string): boolean {
  if (path.length > maxPathChars) return false;
  for (let at = realOf(path); ; at = dirname(at)) {
    const stat = lookAt(at);
    if (stat !== undefined && isStateFolder(state, stat)) return true;
    if (at === '/' || at === dirname(at)) return false;
  }
}

/** Whether the state folder lies in the folder at an absolute path. */
export function holdsState(state: StateFolder, path: string): boolean {
  const real = realOf(path);
  return statePlaces(state).some((place) => isWithin(place, real));
}

/** A file of the state folder that has a second name elsewhere. */
export function isStateFile(state: StateFolder, stat: Inode): boolean {
  return stateFolders(state).some(
    ({ real, dev }) =>
      dev === stat.dev &&
      readdirSync(real).some((name) => {
        const entry = lstatSync(join(real, name), { bigint: true, throwIfNoEntry: false });
        return entry !== undefined && hasSameInode(entry, stat);
      }),
  );
}

/** Every path at which the state folder, or a part of it, is mounted; likewise for the folder of keys. */
export function statePlaces(state: StateFolder): string[] {
  const mounts = readMounts();
  return [...new Set(stateFolders(state).flatMap((folder) => placesOf(folder, mounts)))];
}

function placesOf(state: Folder, mounts: readonly Mount[]): string[] {
  const mount = mounts
    .filter(({ point }) => isWithin(state.real, point))
    .reduce<Mount | undefined>(
      (best, next) => (best && best.point.length > next.point.length ? best : next),
      undefined,
    );
  if (mount === undefined) return [state.real];
  const inside = join(mount.root, state.real.slice(mount.point === '/' ? 0 : mount.point.length));
  const others = mounts
    .filter(({ device }) => device === mount.device)
    .flatMap(({ root, point }) => {
      if (isWithin(root, inside)) return [point];
      if (!isWithin(inside, root)) return [];
      const path = join(point, inside.slice(root === '/' ? 0 : root.length));
      const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      // Another file system may be mounted over the path.
      return stat !== undefined && hasSameInode(stat, state) ? [path] : [];
    });
  return [state.real, ...others];
}

export function mountPoints(): string[] {
  return readMounts().map(({ point }) => point);
}

type Mount = { device: string; root: string; point: string };

let mountsNow: readonly Mount[] | undefined;

// https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html; elsewhere there are no bind mounts. A patch asks for each of its
// files, so a result from this turn of the event loop is still current.
function readMounts(): readonly Mount[] {
  if (mountsNow !== undefined) return mountsNow;
  process.nextTick(() => {
    mountsNow = undefined;
  });
  const text = readProc('self/mountinfo', 'utf8') ?? '';
  mountsNow = text.split('\n').flatMap((line) => {
    const [, , device, root, point] = line.split(' ');
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: decodeOctal(root), point: decodeOctal(point) }];
  });
  return mountsNow;
}

function decodeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

// A path that can't be looked up can't be used to reach the folder either.
function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length));
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

// The folder of the key that signs the audit record: outside the state folder, so that a program that can rewrite the record does not have
// the key.

/** Only the environment can choose another one: a setting in the state folder could be rewritten together with the record. */
export function keyFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CODELAB_KEYS) return resolve(env.CODELAB_KEYS);
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'codelab-keys');
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'codelab-keys');
    default:
      return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'codelab-keys');
  }
}

/** The user's home folders: the one in HOME and the one in the system's user list, which may differ. */
export function userHomes(): string[] {
  return [...new Set([homedir(), registeredHome()])].filter((path) => path.startsWith('/') && path !== '/');
}

/** Looked up once: it reads the system's list of users. */
const registeredHome = lazily(() => {
  try {
    return userInfo().homedir;
  } catch {
    // A user the system has no entry for.
    return '';
  }
});

/**
 * Refuses folders that are too wide for a workspace: everything the user has would be ordinary content of a session. `root` is a real path.
 */
export function checkRoot(root: string, state: StateFolder): void {
  const rootStat = statSync(root, { bigint: true });
  const isOne = (path: string): boolean => {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat !== undefined && hasSameInode(stat, rootStat);
  };
  if (isOne('/')) throw refused(root, 'the root of the file system');
  if (userHomes().some(isOne)) throw refused(root, 'your home folder');
  if (leadsToState(state, root)) throw refused(root, 'CodeLab’s own state folder');
}

function refused(root: string, what: string): ToolError {
  return new ToolError(
    'INVALID_PATH',
    `${root} is ${what}, which is not opened as a workspace. Choose a project folder with --workspace DIR.`,
    { reason: 'workspace' },
  );
}
