// Can a sandbox be built here with util-linux's own programs? Asked once, by really building one: without user namespaces it can't.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf, systemProgram } from './system-program.ts';
import { type UtilLinuxPrograms, writeUtilLinux } from './write-util-linux.ts';

export type UtilLinux = UtilLinuxPrograms | { why: string };

const needed = ['sh', 'unshare', 'mount', 'umount', 'pivot_root', 'cp', 'setpriv'] as const;

let known: UtilLinux | undefined;

export function findUtilLinux(): UtilLinux {
  known ??= look();
  return known;
}

function look(): UtilLinux {
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
    const plan = { isEmptyRoot: false, root: '/', mounts };
    return failureOf(
      writeUtilLinux([by.sh, '-c', ':'], { plan, home, cwd: '/', network: false, hasLoopback: true, by }),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
