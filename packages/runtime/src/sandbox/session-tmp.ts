// The private /tmp of one session, shared by its commands in one workspace. It is deleted with the session, and after a day without use.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { ensureFolder } from '../platform/database-lock.ts';
import { randomId, sha256 } from '../platform/digest.ts';
import { runInTurns } from '../platform/steps.ts';
import { trustedPath } from '../process/child-environment.ts';
import { Directory } from '../workspace/directory.ts';
import type { OwnTmp } from '../workspace/own-tmp.ts';
import { userHomes } from '../workspace/state-folder.ts';
import { diskBytes } from '../workspace/trees/disk-bytes.ts';
import { removeTreeInSteps } from '../workspace/trees/remove-tree.ts';

/** `root` is the real path of the workspace. */
export type TmpOwner = { home: string; session: string; root: string };

/**
 * `shared` is /tmp itself. `asked` is a folder in it that only asked commands can write to: their programs keep caches and temporary
 * files there, so that none of them uses a file that an unasked command has left.
 */
export type SessionTmp = { holder: string; shared: string; asked: string };

/** Name of the folder of asked commands, below their /tmp. */
export const askedName = '.asked';

const unusedMs = 24 * 60 * 60 * 1000;

/** The paths, whether or not they exist. */
export function sessionTmp({ home, session, root }: TmpOwner): SessionTmp {
  return placesIn(join(home, 'tmp'), nameOf(session, root));
}

export function hasSessionTmp(owner: TmpOwner): boolean {
  return isFolder(sessionTmp(owner).shared);
}

/** The session's /tmp for judging commands: without what is mounted into it from the machine, such as a workspace below /tmp. */
export function ownTmp(owner: TmpOwner, shows: readonly string[]): OwnTmp {
  const mounted = [owner.root, owner.home, ...userHomes(), ...trustedPath(owner.root), ...shows];
  const names = mounted.flatMap((path) => /^\/tmp\/([^/]+)/.exec(path)?.[1] ?? []);
  return { folder: sessionTmp(owner).shared, taken: new Set(names) };
}

type TmpOptions = { mostBytes: number; later(work: Promise<void>): void };

/** Creates the folders where they are missing; folders that are too old or too large are replaced by empty ones, and removed later. */
export function openSessionTmp(
  owner: TmpOwner,
  { mostBytes, later }: TmpOptions,
): SessionTmp & { isNew: boolean } {
  const places = sessionTmp(owner);
  const bytes = notedBytes(places.holder);
  if (isUnused(places.holder) || bytes > mostBytes)
    later(removeHolder(join(owner.home, 'tmp'), nameOf(owner.session, owner.root)));
  const isNew = !isFolder(places.shared);
  for (const path of [places.shared, places.asked]) if (!isFolder(path)) ensureFolder(path);
  touch(places.holder);
  if (bytes > mostBytes) throw tooLarge(bytes, mostBytes);
  return { ...places, isNew };
}

/** Creates the mount points that a sandbox needs in /tmp. While a command runs they are mounts, which no process inside can replace. */
export function makeMountPoints(shared: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(shared, name);
    if (isFolder(path)) continue;
    // Nothing may be mounted through a link.
    rmSync(path, { force: true });
    mkdirSync(path, { mode: 0o700 });
  }
}

/** Records the size for the next command, because measuring takes time that no command should wait for. */
export async function noteSize({ holder }: SessionTmp, signal?: AbortSignal): Promise<void> {
  try {
    // If the folder was emptied meanwhile, it is another folder, and this size does not apply to it.
    using folder = Directory.openRoot(holder);
    const bytes = await runInTurns(diskBytes(holder), { signal });
    writeFileSync(folder.at(sizeName), String(bytes), { mode: 0o600 });
  } catch {
    // The folder was removed meanwhile, or is measured another time.
  }
}

/** Deletes the folders of a session for all workspaces. Links in them are removed, not followed. */
export async function removeSessionTmp(home: string, session: string): Promise<void> {
  const prefix = `${ownerOf(session)}-`;
  for (const folder of [join(home, 'tmp'), bareFolder()])
    for (const name of holdersIn(folder)) if (name.startsWith(prefix)) await removeHolder(folder, name);
}

/** Deletes the folders of sessions that were not used for a day. */
export async function removeUnused(home: string, signal: AbortSignal): Promise<void> {
  for (const folder of [join(home, 'tmp'), bareFolder()])
    for (const name of holdersIn(folder)) {
      if (signal.aborted) return;
      if (isUnused(join(folder, name))) await removeHolder(folder, name, signal);
    }
}

/** Marks the folder as in use for as long as a supervised process runs. */
export function keepInUse({ holder }: Pick<SessionTmp, 'holder'>): Disposable {
  const timer = setInterval(() => {
    // A folder that was deleted with its session must not be created again.
    if (isFolder(holder)) touch(holder);
  }, unusedMs / 24).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Without a sandbox: a private folder of the session in the machine's /tmp. Undefined when another user owns the name. */
export function bareTmp({ session, root }: Omit<TmpOwner, 'home'>): string | undefined {
  const { holder, shared } = placesIn(bareFolder(), nameOf(session, root));
  try {
    // A user who creates the outer folder first controls its entries, so each level must belong to this user.
    for (const path of [bareFolder(), holder, shared]) makeOwn(path);
    touch(holder);
    return shared;
  } catch {
    return undefined;
  }
}

function placesIn(folder: string, name: string): SessionTmp {
  const holder = join(folder, name);
  return { holder, shared: join(holder, 'tmp'), asked: join(holder, 'asked') };
}

function nameOf(session: string, root: string): string {
  return `${ownerOf(session)}-${sha256(root).slice(0, 16)}`;
}

// A session id may be any text, so the name is a hash, which reveals nothing.
function ownerOf(session: string): string {
  return sha256(session).slice(0, 32);
}

function bareFolder(): string {
  return join(tmpdir(), `codelab-${process.getuid?.() ?? 'user'}`);
}

function makeOwn(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { mode: 0o700 });
  if (!isOwn(path)) throw new Error(`${path} belongs to another user.`);
}

// A link is not our own, wherever it leads.
function isOwn(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}

const sizeName = 'size';

function notedBytes(holder: string): number {
  try {
    return Number(readFileSync(join(holder, sizeName), 'utf8')) || 0;
  } catch {
    return 0;
  }
}

function tooLarge(bytes: number, limit: number): ToolError {
  const mib = (size: number): string => `${Math.round(size / 1024 / 1024)} MiB`;
  const text = `This session’s /tmp held ${mib(bytes)}, more than its limit of ${mib(limit)}, so it was emptied and the command was not run. Run it again, keep less in /tmp, or raise limits.tmp_mb in the configuration.`;
  return new ToolError('EXECUTION_FAILED', text, { limit: 'tmp_mb', most: limit });
}

// The time of the outer folder shows the last use; a command cannot reach that folder.
function isUnused(holder: string): boolean {
  const stat = lstatSync(holder, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > unusedMs;
}

function touch(holder: string): void {
  const now = Date.now() / 1000;
  utimesSync(holder, now, now);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const holderName = /^[0-9a-f]{32}-[0-9a-f]{16}$/;

/** The removal covers only folders created here, never a folder of another user or a folder behind a link. */
function holdersIn(folder: string): string[] {
  try {
    return isOwn(folder) ? readdirSync(folder).filter((name) => holderName.test(name)) : [];
  } catch {
    return [];
  }
}

/**
 * The folder gets another name at once, so that a command that starts meanwhile has a new one. It is removed in turns: programs may have
 * left a hundred thousand files. A folder that cannot be removed now is removed after a day, which is no reason not to run a command.
 */
async function removeHolder(folder: string, name: string, signal?: AbortSignal): Promise<void> {
  try {
    using parent = Directory.openRoot(folder);
    const unusedName = `${name.slice(0, 32)}-${randomId().slice(0, 16)}`;
    renameSync(parent.at(name), parent.at(unusedName));
    await runInTurns(removeTreeInSteps(parent, unusedName), { signal });
  } catch {
    // Tried again another time.
  }
}
