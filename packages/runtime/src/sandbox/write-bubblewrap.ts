// Mounts as bubblewrap's options, in order.
import { readlinkSync } from 'node:fs';
import type { Bubblewrap } from './find-bubblewrap.ts';
import type { Mount, MountPlan } from './mount.ts';
import { privateTmp } from './private-tmp.ts';
import { closedFile, emptyFile, isFile, scratchBytes } from './stand-ins.ts';

type Found = Extract<Bubblewrap, { path: string }>;

export function writeBubblewrap(plan: MountPlan, home: string, { canSize }: Found): string[] {
  const size = canSize ? ['--size', String(scratchBytes())] : [];
  const mounts = plan.mounts.flatMap((mount) => write(mount, { plan, home, size }));
  // Its own root would be writable, and take as much memory as anyone likes.
  return plan.isEmptyRoot ? [...mounts, '--remount-ro', '/'] : ['--ro-bind', '/', '/', ...mounts];
}

type Given = { plan: MountPlan; home: string; size: readonly string[] };

function write({ path, as }: Mount, { plan, home, size }: Given): string[] {
  switch (as) {
    case 'devices':
      return ['--dev', path, ...size, '--perms', '1777', '--tmpfs', '/dev/shm'];
    case 'processes':
      // For its switches the kernel asks who owns them, not what he may: root without any right could still turn them.
      return ['--proc', path, ...(process.geteuid?.() === 0 ? ['--remount-ro', path] : [])];
    case 'hidden':
      return hide(path, home);
    case 'closed':
      return ['--ro-bind', closedFile(home), path];
    case 'scratch':
      return [...size, '--perms', '1777', '--tmpfs', path];
    case 'tmp':
      return ['--bind', privateTmp(home, plan.root), path];
    case 'link':
      return ['--symlink', readlinkSync(path), path];
    case 'shown':
    case 'kept':
      return ['--ro-bind', path, path];
    case 'writable':
      return ['--bind', path, path];
  }
}

// Closed rather than read-only: making a mount read-only afterwards costs ten times as much.
function hide(path: string, home: string): string[] {
  return isFile(path) ? ['--ro-bind', emptyFile(home), path] : ['--perms', '0500', '--tmpfs', path];
}
