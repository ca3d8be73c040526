// Processes and connections of this machine according to /proc: which of them a tool started, and who holds which socket.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { childSessions, createPauses, livingHosts, markerName } from '@codelab/runtime';

/** `isMarked`: a tool started the process, and the process still has the mark. */
export type Process = { pid: number; parent: number; session: number; isMarked: boolean };
export type LocalSocket = { inode: string; uid: number };

/** All processes but those in `known`, by their number. */
export async function localProcesses(
  knownProcesses: ReadonlyMap<number, Process> = new Map(),
): Promise<Map<number, Process>> {
  const pauses = createPauses();
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const process = Number.isInteger(pid) && !knownProcesses.has(pid) ? describe(pid) : undefined;
    if (process !== undefined) processes.set(pid, process);
    if (pauses.isDue()) await pauses.rest();
  }
  return processes;
}

/**
 * The processes that a tool started, and all that descend from them or share their session, even without the mark. In `homes` other
 * processes register that they start tools, too.
 */
export function findToolProcesses(
  processes: ReadonlyMap<number, Process>,
  homes: ReadonlySet<string>,
): Set<number> {
  const isLeader = leadersIn(homes);
  const ownSession = processes.get(process.pid)?.session;
  const toolPids = new Set<number>();
  const sessions = new Set<number>();
  function add({ pid, session }: Process): void {
    toolPids.add(pid);
    if (session !== ownSession) sessions.add(session);
  }
  for (const candidate of processes.values()) if (candidate.isMarked || isLeader(candidate)) add(candidate);
  for (let before = -1; before !== toolPids.size; ) {
    before = toolPids.size;
    for (const candidate of processes.values())
      if (
        candidate.pid !== process.pid &&
        (toolPids.has(candidate.parent) || sessions.has(candidate.session))
      )
        add(candidate);
  }
  return toolPids;
}

/** The first process of a command may have replaced itself by a program without the mark: its parent identifies it. */
function leadersIn(homes: ReadonlySet<string>): (process: Process) => boolean {
  const childSessionIds = new Set(childSessions());
  const hosts = new Set([...homes].flatMap(livingHosts).filter((pid) => pid !== process.pid));
  return ({ pid, parent, session }) =>
    pid !== process.pid && (childSessionIds.has(session) || (session === pid && hosts.has(parent)));
}

/** The sockets that each process holds; undefined for a process that can't be inspected. */
export async function findHolders(
  pids: Iterable<number>,
  inodes: ReadonlySet<string>,
): Promise<Map<number, string[] | undefined>> {
  const pauses = createPauses();
  const holders = new Map<number, string[] | undefined>();
  for (const pid of pids) {
    holders.set(pid, held(pid, inodes));
    if (pauses.isDue()) await pauses.rest();
  }
  return holders;
}

/** The sockets of this machine's TCP connections by `from:to`, their ports; undefined where that can't be known. */
export async function readConnections(): Promise<Map<string, LocalSocket[]> | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => undefined)),
  );
  if (tables[0] === undefined) return undefined;
  const sockets = new Map<string, LocalSocket[]>();
  for (const line of tables.flatMap((table = '') => table.split('\n').slice(1))) {
    const [, local = '', remote = '', , , , , uid, , inode = '0'] = line.trim().split(/\s+/);
    const [from, to] = [portOf(local), portOf(remote)];
    const key = `${from}:${to}`;
    sockets.set(key, [...(sockets.get(key) ?? []), { inode, uid: Number(uid) }]);
  }
  return sockets;
}

/** Whether all processes of this machine are visible; not from within a container, whose neighbours may share its network. */
export function seesAllProcesses(): boolean {
  return linkOf('/proc/self/ns/pid') === 'pid:[4026531836]';
}

/** A gateway that was itself started by a tool has a mark, too; what shares it is no tool of this gateway. */
function isMarked(pid: number): boolean {
  if (pid === process.pid) return false;
  const mark = `\0${read(`/proc/${pid}/environ`) ?? ''}`.split(`\0${markerName}=`)[1]?.split('\0')[0];
  return mark !== undefined && mark !== process.env[markerName];
}

function held(pid: number, inodes: ReadonlySet<string>): string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode) ? [inode] : [];
    });
  } catch (error) {
    const isHidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return isHidden ? undefined : [];
  }
}

function describe(pid: number): Process | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(parent), session: Number(session), isMarked: isMarked(pid) };
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
