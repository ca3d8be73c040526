// Finds out whether bubblewrap works by running it once: many containers have the program and forbid what it needs.

import { readlinkSync } from 'node:fs';
import { isSwitchedOff } from '../../platform/system.ts';
import type { Mount, MountPlan } from '../mounts/mount.ts';
import { closedFile, emptyFile, isFile, scratchBytes } from './stand-ins.ts';
import { runFailure, systemProgram } from './system-program.ts';

/** `canSize`: this version can limit the size of a folder in memory. */
export type Bubblewrap = { path: string; namespaces: readonly string[]; canSize: boolean } | { why: string };

const basic =
  '--die-with-parent --unshare-user --unshare-pid --unshare-ipc --unshare-uts --cap-drop ALL'.split(' ');

// Since 0.8: forbids namespaces inside the sandbox, which removes most ways to attack the kernel.
const best = [...basic, '--disable-userns'];
const sized = ['--size', '65536', '--tmpfs', '/tmp'];

let cached: Bubblewrap | undefined;

export function findBubblewrap(): Bubblewrap {
  cached ??= detect();
  return cached;
}

function detect(): Bubblewrap {
  if (isSwitchedOff('bubblewrap')) return { why: 'CODELAB_WITHOUT switches bubblewrap off.' };
  const program = systemProgram('bwrap');
  if (program === undefined) return { why: 'bubblewrap is not installed.' };
  if ('why' in program) return program;
  const { path } = program;
  const first = tryOut(path, best, sized);
  if (first === undefined) return { path, namespaces: best, canSize: true };
  const isOld = first.includes('disable-userns') || first.includes('size');
  const second = isOld ? tryOut(path, basic, []) : first;
  if (second === undefined) return { path, namespaces: basic, canSize: false };
  return { why: `bubblewrap does not work on this machine (${second}).` };
}

function tryOut(path: string, namespaces: readonly string[], extra: readonly string[]): string | undefined {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', ...extra];
  return runFailure([path, ...namespaces, '--unshare-net', ...mounts, '--', path, '--version']);
}

// Mounts as options of bubblewrap, in order.
type FoundBubblewrap = Extract<Bubblewrap, { path: string }>;

export function writeBubblewrap(plan: MountPlan, home: string, { canSize }: FoundBubblewrap): string[] {
  const size = canSize ? ['--size', String(scratchBytes())] : [];
  const mounts = plan.mounts.flatMap((mount) => write(mount, { home, size }));
  // The empty root of bubblewrap is in memory and writable, so it is remounted read-only.
  return plan.isEmptyRoot ? [...mounts, '--remount-ro', '/'] : ['--ro-bind', '/', '/', ...mounts];
}

type MountOptions = { home: string; size: readonly string[] };

function write(mount: Mount, { home, size }: MountOptions): string[] {
  const { path } = mount;
  switch (mount.as) {
    case 'devices':
      return ['--dev', path, ...size, '--perms', '1777', '--tmpfs', '/dev/shm'];
    case 'processes':
      // For its switches in /proc the kernel checks the owner, not the capabilities: root without any capability could still change them.
      return ['--proc', path, ...(process.geteuid?.() === 0 ? ['--remount-ro', path] : [])];
    case 'hidden':
      return hide(path, home);
    case 'closed':
      return ['--ro-bind', closedFile(home), path];
    case 'scratch':
      return [...size, '--perms', '1777', '--tmpfs', path];
    case 'tmp':
      return [mount.isReadOnly ? '--ro-bind' : '--bind', mount.from, path];
    case 'copy':
      return ['--ro-bind', mount.from, path];
    case 'link':
      return ['--symlink', readlinkSync(path), path];
    case 'shown':
    case 'kept':
      return ['--ro-bind', path, path];
    case 'writable':
      return ['--bind', path, path];
  }
}

// An unreadable stand-in rather than a read-only mount: making a mount read-only afterwards costs ten times as much.
function hide(path: string, home: string): string[] {
  return isFile(path) ? ['--ro-bind', emptyFile(home), path] : ['--perms', '0500', '--tmpfs', path];
}
