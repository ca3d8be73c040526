// Which process of this machine is at the other end of a connection, and whether a tool started it: such a process decides nothing,
// whatever token it has. Known on Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { ToolError } from '@codelab/protocol';
import { childSessions, livingHosts, markerName } from '@codelab/runtime';

type Process = { pid: number; parent: number; session: number };

const checked = new WeakSet<Socket>();

/**
 * Throws PERMISSION_DENIED when a tool's process is at the other end, or when nobody is there any more. `home` is where other processes
 * say that they start tools, too.
 */
export function refuseToolPeer(connection: Socket, home?: string): void {
  if (process.platform !== 'linux' || checked.has(connection)) return;
  // A request that the gateway makes to itself comes over no connection; the one it serves by it was checked.
  if (!(connection instanceof Socket)) return;
  // Processes first: whoever still has the connection afterwards was there to be seen.
  const all = readdirSync('/proc').flatMap((name) => describe(name) ?? []);
  const suspects = findSuspects(all, home);
  const inodes = inodesOf(connection);
  if (inodes === undefined) return;
  if (suspects.size > 0 && isHeldBy(suspects, all, inodes)) throw refused('TOOL_PROCESS');
  // Looked at again: one that let go of it meanwhile was not found.
  const after = suspects.size > 0 ? (inodesOf(connection) ?? []) : inodes;
  if (after.length === 0 || after.includes('0') || after.join() !== inodes.join()) throw refused('PEER_GONE');
  // No process gets a connection of another family later, but by the hands of its owner.
  checked.add(connection);
}

/** The other end's sockets; none when it was left already; undefined when it is not on this machine, or nothing is known. */
function inodesOf(connection: Socket): string[] | undefined {
  const { localPort = 0, remotePort = 0, remoteAddress } = connection;
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(read);
  if (tables[0] === undefined) return undefined;
  const ends = [hexPort(remotePort), hexPort(localPort)];
  const found = tables
    .flatMap((table = '') => table.split('\n').slice(1))
    .flatMap((line) => {
      const [, local = '', remote = '', , , , , , , inode = '0'] = line.trim().split(/\s+/);
      return [local, remote].every((end, i) => end.endsWith(`:${ends[i]}`)) ? [inode] : [];
    });
  // A connection that is reset has no address any more.
  const isLocal = remoteAddress === undefined || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
  return found.length > 0 || isLocal ? found : undefined;
}

function isHeldBy(
  suspects: ReadonlySet<number>,
  all: readonly Process[],
  inodes: readonly string[],
): boolean {
  const names = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const held = [...suspects].map((pid) => holds(pid, names));
  if (held.includes(true)) return true;
  // One that hides what it has open is taken for the owner, unless somebody else is.
  return held.includes(undefined) && !all.some(({ pid }) => !suspects.has(pid) && holds(pid, names));
}

/** What a tool started, and whatever descends from it or shares its session, though it gave up the mark. */
function findSuspects(all: readonly Process[], home: string | undefined): Set<number> {
  const isLeader = leadersIn(home);
  const marked = all.filter((one) => isLeader(one) || isMarked(one.pid));
  const own = all.find(({ pid }) => pid === process.pid)?.session;
  const sessions = new Set(marked.map(({ session }) => session).filter((session) => session !== own));
  const suspects = new Set(marked.map(({ pid }) => pid));
  for (let before = -1; before !== suspects.size; ) {
    before = suspects.size;
    for (const { pid, parent, session } of all) {
      if (pid === process.pid || suspects.has(pid)) continue;
      if (!suspects.has(parent) && !sessions.has(session)) continue;
      suspects.add(pid);
      if (session !== own) sessions.add(session);
    }
  }
  return suspects;
}

/** The first process of a command may have replaced itself by a program without the mark: it is known by who started it. */
function leadersIn(home: string | undefined): (process: Process) => boolean {
  const own = new Set(childSessions());
  const hosts = new Set(home === undefined ? [] : livingHosts(home).filter((pid) => pid !== process.pid));
  return ({ pid, parent, session }) =>
    pid !== process.pid && (own.has(session) || (session === pid && hosts.has(parent)));
}

/** A gateway that was itself started by a tool has a mark, too; what shares it is no tool of this gateway. */
function isMarked(pid: number): boolean {
  if (pid === process.pid) return false;
  const mark = `\0${read(`/proc/${pid}/environ`) ?? ''}`.split(`\0${markerName}=`)[1]?.split('\0')[0];
  return mark !== undefined && mark !== process.env[markerName];
}

/** Undefined when it can't be seen. */
function holds(pid: number, sockets: ReadonlySet<string>): boolean | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)));
  } catch (error) {
    const isHidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return isHidden ? undefined : false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function describe(name: string): Process | undefined {
  const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : undefined;
  if (stat === undefined) return undefined;
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(name), parent: Number(parent), session: Number(session) };
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function refused(reason: string): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'Programs that a tool started may not decide or change anything here. Do it from your own terminal or browser.',
    { reason },
  );
}
