// Detects connections from processes that a tool started: such a process may decide nothing, whatever token it has. Works only with /proc.
// One scan of the machine serves all connections that wait when it starts.
import { Socket } from 'node:net';
import { ToolError } from '@codelab/protocol';
import { hasProc } from '@codelab/runtime';
import {
  findHolders,
  findToolProcesses,
  type LocalSocket,
  localProcesses,
  type Process,
  readConnections,
  seesAllProcesses,
} from './local-processes.ts';

type Waiting = {
  connection: Socket;
  home: string | undefined;
  looks: number;
  resolve(): void;
  reject(error: unknown): void;
};
type Connections = NonNullable<Awaited<ReturnType<typeof readConnections>>>;
type Holders = Awaited<ReturnType<typeof findHolders>>;
type Processes = { all: ReadonlyMap<number, Process>; tools: ReadonlySet<number> };

const checked = new WeakSet<Socket>();
let waiting: Waiting[] = [];
let isLooking = false;
/** The kernel's table may leave out a connection while others come and go. */
const moreLooks = 2;

/**
 * Throws PERMISSION_DENIED when a tool's process is at the other end, or the other end is gone. In `home` other processes register that
 * they start tools, too.
 */
export async function refuseToolPeer(connection: Socket, home?: string): Promise<void> {
  if (!hasProc() || checked.has(connection)) return;
  // A request that the gateway makes to itself comes over no connection; the one it serves by it was checked.
  if (!(connection instanceof Socket)) return;
  await new Promise<void>((resolve, reject) => {
    waiting.push({ connection, home, looks: 0, resolve, reject });
    if (!isLooking) void serveAll();
  });
  // A process can get a connection of another family later only when its owner passes it on.
  checked.add(connection);
}

async function serveAll(): Promise<void> {
  isLooking = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    try {
      const refusals = await findRefusals(
        batch.map(({ connection }) => connection),
        new Set(batch.flatMap(({ home }) => home ?? [])),
      );
      for (const check of batch) {
        const reason = refusals.get(check.connection);
        if (reason === undefined) check.resolve();
        else if (reason === 'PEER_GONE' && check.looks < moreLooks && !check.connection.destroyed)
          waiting.push({ ...check, looks: check.looks + 1 });
        else check.reject(refused(reason));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  isLooking = false;
}

type Reason = 'TOOL_PROCESS' | 'PEER_GONE';

/** Which connections are refused, and why. */
async function findRefusals(
  connections: readonly Socket[],
  homes: ReadonlySet<string>,
): Promise<Map<Socket, Reason>> {
  const refusals = new Map<Socket, Reason>();
  // Processes are read first: a process that still has the connection afterwards was visible, or descends from one that was.
  const before = await localProcesses();
  const table = await readConnections();
  if (table === undefined) return refusals;
  const allProcesses = new Map([...before, ...(await localProcesses(before))]);
  const processes = { all: allProcesses, tools: findToolProcesses(allProcesses, homes) };
  const ends = connections.flatMap((connection) => {
    const sockets = otherEnd(connection, table);
    return sockets === undefined ? [] : [{ connection, sockets }];
  });
  const inodes = new Set(ends.flatMap(({ sockets }) => sockets.map(({ inode }) => inode)));
  const holders: Holders =
    processes.tools.size === 0 ? new Map() : await findHolders(allProcesses.keys(), inodes);
  // Read again to exclude processes that closed the connection meanwhile.
  const after = processes.tools.size === 0 ? table : await readConnections();
  for (const { connection, sockets } of ends) {
    if (sockets.some((socket) => isToolsSocket(socket, processes, holders)))
      refusals.set(connection, 'TOOL_PROCESS');
    else if (!isSame(sockets, after && otherEnd(connection, after))) refusals.set(connection, 'PEER_GONE');
  }
  return refusals;
}

/** The other end's sockets; none when it was left already; undefined when it is not on this machine. */
function otherEnd(connection: Socket, table: Connections): LocalSocket[] | undefined {
  const { localPort = 0, remotePort = 0, remoteAddress } = connection;
  const found = table.get(`${remotePort}:${localPort}`) ?? [];
  // A connection that is reset has no address any more.
  const isLocal = remoteAddress === undefined || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
  return found.length > 0 || isLocal ? found : undefined;
}

function isToolsSocket({ inode, uid }: LocalSocket, { all, tools }: Processes, holders: Holders): boolean {
  if (tools.size === 0) return false;
  const holds = (pid: number): boolean => holders.get(pid)?.includes(inode) === true;
  if ([...tools].some(holds)) return true;
  if ([...all.keys()].some((pid) => !tools.has(pid) && holds(pid))) return false;
  // No visible process holds the connection. Where its holder would be visible, tool processes pass it among each other, and a process that
  // hides its open files counts as the holder.
  const userId = process.getuid?.();
  const isVisible = seesAllProcesses() && (userId === 0 || userId === uid);
  return isVisible || [...tools].some((pid) => holders.has(pid) && holders.get(pid) === undefined);
}

function isSame(before: readonly LocalSocket[], after: readonly LocalSocket[] = []): boolean {
  const inodes = (sockets: readonly LocalSocket[]): string => sockets.map(({ inode }) => inode).join();
  return before.length > 0 && !before.some(({ inode }) => inode === '0') && inodes(before) === inodes(after);
}

function refused(reason: Reason): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'Programs that a tool started may not decide or change anything here. Do it from your own terminal or browser.',
    { reason },
  );
}
