// The /tmp of one session: its commands share it in one workspace, and nobody else sees it. It is removed with the session, and when it
// was not used for a day.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { sha256 } from '../platform/digest.ts';
import { runInTurns } from '../platform/steps.ts';
import { trustedPath } from '../process/child-environment.ts';
import { Directory } from '../workspace/directory.ts';
import type { OwnTmp } from '../workspace/own-tmp.ts';
import { userHomes } from '../workspace/state-folder.ts';
import { diskBytes } from '../workspace/trees/disk-bytes.ts';
import { removeTreeInSteps } from '../workspace/trees/remove-tree.ts';
import { removeTree } from '../workspace/trees/tree.ts';

/** `root` is the real path of the workspace. */
export type TmpOwner = { home: string; session: string; root: string };

/**
 * `shared` is /tmp itself. `asked` is a folder in it that only commands write to which a person stands behind: their programs keep caches and
 * temporary files there, so that none of them picks up what an unasked command has left.
 */
export type SessionTmp = { holder: string; shared: string; asked: string };

/** Where commands find the folder of those that were asked about, below their /tmp. */
export const askedName = '.asked';

const unusedMs = 24 * 60 * 60 * 1000;

/** Where it is, whether or not it is there. */
export function sessionTmp({ home, session, root }: TmpOwner): SessionTmp {
  return placesIn(join(home, 'tmp'), nameOf(session, root));
}

export function hasSessionTmp(owner: TmpOwner): boolean {
  return isFolder(sessionTmp(owner).shared);
}

/** As commands are judged by it: without what of the machine's is mounted into it, such as a workspace below /tmp. */
export function ownTmp(owner: TmpOwner, shows: readonly string[]): OwnTmp {
  const mounted = [owner.root, owner.home, ...userHomes(), ...trustedPath(owner.root), ...shows];
  const names = mounted.flatMap((path) => /^\/tmp\/([^/]+)/.exec(path)?.[1] ?? []);
  return { folder: sessionTmp(owner).shared, taken: new Set(names) };
}

/** Makes it where there is none; what is too old or has grown too large is removed first. */
export function openSessionTmp(owner: TmpOwner, mostBytes: number): SessionTmp & { isNew: boolean } {
  const folder = join(owner.home, 'tmp');
  const places = sessionTmp(owner);
  const bytes = notedBytes(places.holder);
  if (isUnused(places.holder) || bytes > mostBytes) empty(folder, nameOf(owner.session, owner.root));
  const isNew = !isFolder(places.shared);
  for (const path of [places.shared, places.asked])
    if (!isFolder(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  touch(places.holder);
  if (bytes > mostBytes) throw tooLarge(bytes, mostBytes);
  return { ...places, isNew };
}

/** Makes the mount points that a sandbox needs in it. While a command runs they are mounts, which nothing in there can put aside. */
export function makeMountPoints(shared: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(shared, name);
    if (isFolder(path)) continue;
    // Where a link leads, nothing is to be mounted.
    rmSync(path, { force: true });
    mkdirSync(path, { mode: 0o700 });
  }
}

/** Notes how much is in there, for the next command: measuring takes time, and nobody should wait for it. */
export async function noteSize({ holder }: SessionTmp, signal?: AbortSignal): Promise<void> {
  try {
    // What was emptied meanwhile is another folder, of which this size is not true.
    using folder = Directory.openRoot(holder);
    const bytes = await runInTurns(diskBytes(holder), { signal });
    writeFileSync(folder.at(sizeName), String(bytes), { mode: 0o600 });
  } catch {
    // Removed meanwhile, or to be measured another time.
  }
}

/** What all workspaces of a session have. Links in it are removed, not followed. */
export function removeSessionTmp(home: string, session: string): void {
  const own = `${ownerOf(session)}-`;
  for (const folder of [join(home, 'tmp'), bareFolder()])
    for (const name of holdersIn(folder)) if (name.startsWith(own)) empty(folder, name);
}

/** Removes what sessions have not used for a day. */
export async function removeUnused(home: string, signal: AbortSignal): Promise<void> {
  for (const folder of [join(home, 'tmp'), bareFolder()])
    for (const name of holdersIn(folder)) {
      if (signal.aborted) return;
      if (isUnused(join(folder, name))) await emptyInTurns(folder, name, signal);
    }
}

/** For a process that goes on: what it keeps is in use as long as it runs, however long that is. */
export function keepInUse({ holder }: Pick<SessionTmp, 'holder'>): Disposable {
  const timer = setInterval(() => {
    // Deleted together with its session, it is not to be made again.
    if (isFolder(holder)) touch(holder);
  }, unusedMs / 24).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Where there is no sandbox: a folder of the session's own in the machine's /tmp. Undefined when somebody else has the name. */
export function bareTmp({ session, root }: Omit<TmpOwner, 'home'>): string | undefined {
  const { holder, shared } = placesIn(bareFolder(), nameOf(session, root));
  try {
    // Whoever makes the folder above first decides what is in it.
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

// Any text may be a session's id, and a name tells nobody which.
function ownerOf(session: string): string {
  return sha256(session).slice(0, 32);
}

function bareFolder(): string {
  return join(tmpdir(), `codelab-${process.getuid?.() ?? 'user'}`);
}

function makeOwn(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, { mode: 0o700 });
  if (!isOwn(path)) throw new Error(`${path} belongs to somebody else.`);
}

// A link is not, wherever it leads.
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

function tooLarge(bytes: number, most: number): ToolError {
  const mib = (size: number): string => `${Math.round(size / 1024 / 1024)} MiB`;
  const text = `This session’s /tmp held ${mib(bytes)}, more than the ${mib(most)} it may, so it was emptied and the command was not run. Run it again, keep less in /tmp, or raise limits.tmp_mb in the configuration.`;
  return new ToolError('EXECUTION_FAILED', text, { limit: 'tmp_mb', most });
}

// The folder around it tells when it was last used; a command can't reach that.
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

/** Only what was made here: in a folder of somebody else's, or one that a link leads to, nothing is to be removed. */
function holdersIn(folder: string): string[] {
  try {
    return isOwn(folder) ? readdirSync(folder).filter((name) => holderName.test(name)) : [];
  } catch {
    return [];
  }
}

function empty(folder: string, name: string): void {
  try {
    using parent = Directory.openRoot(folder);
    removeTree(parent, name);
  } catch {
    // What resists stays; it is no reason not to run a command.
  }
}

async function emptyInTurns(folder: string, name: string, signal: AbortSignal): Promise<void> {
  try {
    using parent = Directory.openRoot(folder);
    await runInTurns(removeTreeInSteps(parent, name), { signal });
  } catch {
    // Tried again another time.
  }
}
