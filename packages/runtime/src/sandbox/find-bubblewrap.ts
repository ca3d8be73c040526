// Is there a bubblewrap that works? Asked once, by really running it: many containers have the program and forbid what it needs.
import type { SpawnSyncReturns } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

export type Bubblewrap = { path: string; namespaces: readonly string[] } | { why: string };

// Never looked up on the PATH: what stands there may be the agent's own making.
const places = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

const basic = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--cap-drop',
  'ALL',
];

// Since 0.8: no namespaces inside the sandbox, and with them most of what a kernel can be attacked by.
const best = [...basic, '--disable-userns'];

const patienceMs = 5000;

let known: Bubblewrap | undefined;

export function findBubblewrap(): Bubblewrap {
  known ??= look();
  return known;
}

function look(): Bubblewrap {
  if (process.platform !== 'linux') return { why: 'Commands are held in a sandbox on Linux only.' };
  const path = places.find((place) => lstatSync(place, { throwIfNoEntry: false }) !== undefined);
  if (path === undefined) return { why: 'bubblewrap is not installed.' };
  const real = realpathSync(path);
  if (!isSystems(real))
    return { why: `${real} can be changed by others than root, so it is not trusted to hold commands.` };
  const first = tryOut(real, best);
  if (first === undefined) return { path: real, namespaces: best };
  const second = first.includes('disable-userns') ? tryOut(real, basic) : first;
  if (second === undefined) return { path: real, namespaces: basic };
  return { why: `bubblewrap does not work on this machine (${second}).` };
}

/** Only root can replace it or a folder on the way to it. */
function isSystems(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isShared = (mode & 0o022) !== 0;
  return uid === 0 && !isShared && (path === '/' || isSystems(dirname(path)));
}

/** What went wrong; undefined when all is well. */
function tryOut(path: string, namespaces: readonly string[]): string | undefined {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const argv = [...namespaces, '--unshare-net', ...mounts, '--', path, '--version'];
  const ran = run(path, argv);
  if (ran.status === 0) return undefined;
  const [line] = `${ran.stderr}`.trim().split('\n');
  return line || ran.error?.message || `exit code ${ran.status ?? ran.signal}`;
}

// Loaded only when a command is planned: other tools start without it.
function run(path: string, argv: readonly string[]): SpawnSyncReturns<string> {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  return spawnSync(path, argv, { encoding: 'utf8', timeout: patienceMs, env: {}, cwd: '/' });
}
