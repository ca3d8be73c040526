// Finds out whether util-linux can build a sandbox by building one once: without user namespaces it cannot.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureFolder } from '../../platform/database-lock.ts';
import type { MountPlan } from '../mounts/mount.ts';
import { createMountTable } from './mount-table.ts';
import { writeSkeleton } from './skeleton.ts';
import { scratchBytes } from './stand-ins.ts';
import { runFailure, systemProgram } from './system-program.ts';

export type UtilLinux = UtilLinuxPrograms | { why: string };

const needed = ['sh', 'unshare', 'mount', 'umount', 'pivot_root', 'cp', 'setpriv'] as const;

let cached: UtilLinux | undefined;

export function findUtilLinux(): UtilLinux {
  cached ??= detect();
  return cached;
}

function detect(): UtilLinux {
  const paths: string[] = [];
  for (const name of needed) {
    const program = systemProgram(name);
    if (program === undefined) return { why: `${name} of util-linux is not installed.` };
    if ('why' in program) return program;
    paths.push(program.path);
  }
  const [sh = '', unshare = '', mount = '', umount = '', pivotRoot = '', cp = '', setpriv = ''] = paths;
  const found = systemProgram('ip');
  const ip = found !== undefined && 'path' in found ? found.path : undefined;
  const by = { sh, unshare, mount, umount, pivotRoot, cp, setpriv, ip };
  const failure = tryOut(by);
  return failure === undefined ? by : { why: `util-linux can't build a sandbox here (${failure}).` };
}

function tryOut(by: UtilLinuxPrograms): string | undefined {
  const home = mkdtempSync(join(tmpdir(), 'codelab-probe-'));
  const mounts = [
    { path: '/dev', as: 'devices' as const },
    { path: '/proc', as: 'processes' as const },
  ];
  try {
    const plan = { isEmptyRoot: false, mounts };
    return runFailure(
      writeUtilLinux([by.sh, '-c', ':'], { plan, home, cwd: '/', network: false, hasLoopback: true, by }),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

// Mounts with util-linux's programs: a tree of mount points and a table of mounts are stored once in the state folder; a fixed script
// copies the tree into memory, mounts by the table, makes the tree the root and drops all capabilities.
/** Paths of the programs. `ip` brings the loopback up; without `ip` there is no loopback. */
type UtilLinuxPrograms = {
  sh: string;
  unshare: string;
  mount: string;
  umount: string;
  pivotRoot: string;
  cp: string;
  setpriv: string;
  ip: string | undefined;
};

type UtilLinuxOptions = {
  plan: MountPlan;
  home: string;
  cwd: string;
  network: boolean;
  /** Whether the command needs its own loopback; a command that only reads does not. */
  hasLoopback: boolean;
  by: UtilLinuxPrograms;
};

// Everything that differs between runs is an argument and never read as code. The first process of the new process namespace is this
// shell: it ends with the command, and then the kernel ends all remaining processes.
const script = `
set -efu
mount=$1 umount=$2 pivot=$3 cp=$4 unshare=$5 setpriv=$6 ip=$7
shift 7
new=$1 size=$2 skeleton=$3 table=$4 user=$5 group=$6 cwd=$7
shift 7
# One is for the command itself; with that nobody inside can make another.
echo 1 >/proc/sys/user/max_user_namespaces
"$mount" -n -t tmpfs -o "mode=0755,nosuid,nodev,size=$size" sandbox "$new"
"$cp" -RP -- "$skeleton/." "$new"
"$mount" -n -a -T "$table"
if [ -n "$ip" ]; then "$ip" link set lo up || :; fi
cd "$new/0"
"$pivot" . .
"$umount" -n -l .
cd "$cwd"
set +e
"$unshare" --user --map-user="$user" --map-group="$group" --keep-caps -- \\
  "$setpriv" --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all -- "$@"
exit $?
`;

export function writeUtilLinux(
  argv: readonly string[],
  { plan, home, cwd, network, hasLoopback, by }: UtilLinuxOptions,
): string[] {
  const folder = join(home, 'sandbox');
  const root = join(folder, 'root');
  if (!existsSync(root)) ensureFolder(root);
  const { skeleton, table } = writeSkeleton(folder, createMountTable(plan, home, root));
  const { sh, unshare, mount, umount, pivotRoot, cp, setpriv, ip } = by;
  const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts'];
  return [
    // unshare ends with this process, and the first process inside ends with unshare.
    ...[setpriv, '--pdeathsig', 'KILL', '--', unshare, ...namespaces, ...(network ? [] : ['--net'])],
    ...['--fork', '--kill-child=KILL', '--', sh, '-c', script, 'sandbox'],
    ...[mount, umount, pivotRoot, cp, unshare, setpriv, hasLoopback && !network ? (ip ?? '') : ''],
    ...[root, String(scratchBytes()), skeleton, table],
    ...[String(process.geteuid?.() ?? 0), String(process.getegid?.() ?? 0), cwd],
    ...argv,
  ];
}
