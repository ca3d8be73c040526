// macOS: the same mounts as a Seatbelt profile for `sandbox-exec`. The profile's text is tested; it has not been run on a Mac.
import type { Mount, MountPlan } from '../mounts/mount.ts';
import { runFailure, systemProgram } from './system-program.ts';

export type Seatbelt = { path: string } | { why: string };

type SeatbeltOptions = { plan: MountPlan; network: boolean; by: { path: string } };

let cached: Seatbelt | undefined;

export function findSeatbelt(): Seatbelt {
  cached ??= detect();
  return cached;
}

function detect(): Seatbelt {
  const program = systemProgram('sandbox-exec');
  if (program === undefined) return { why: 'sandbox-exec is not installed.' };
  if ('why' in program) return program;
  const failure = runFailure([program.path, '-p', '(version 1)(allow default)', '/usr/bin/true']);
  return failure === undefined
    ? program
    : { why: `sandbox-exec does not work on this machine (${failure}).` };
}

export function writeSeatbelt(argv: readonly string[], { plan, network, by }: SeatbeltOptions): string[] {
  return [by.path, '-p', seatbeltProfile(plan, network), ...argv];
}

/** Of rules that match the same path the last one counts, so outer paths come first, as in the plan. */
export function seatbeltProfile({ isEmptyRoot, mounts }: MountPlan, network: boolean): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read mach-lookup ipc-posix-shm ipc-posix-sem)',
    '(allow file-read-metadata)',
    isEmptyRoot ? systemReads : '(allow file-read*)',
    '(allow file-read* file-write-data (subpath "/dev"))',
    ...mounts.flatMap(rulesOf),
    // The session's folders are in the state folder, which is hidden as a whole, so their rules come last.
    ...mounts.flatMap(ofSession),
    ...(network ? ['(allow network*)'] : ['(deny network*)']),
  ].join('\n');
}

const systemReads = `(allow file-read* ${[
  ...['/usr', '/bin', '/sbin', '/etc', '/private/etc', '/opt', '/System', '/Library', '/Applications'],
  ...['/private/var/db', '/private/var/select', '/nix'],
]
  .map((path) => `(subpath ${quoted(path)})`)
  .join(' ')})`;

function rulesOf({ path, as }: Mount): string[] {
  const place = `(subpath ${quoted(path)})`;
  switch (as) {
    case 'devices':
    case 'processes':
      return [];
    case 'hidden':
    case 'closed':
    case 'copy':
    // Seatbelt cannot replace a folder, so a folder that would be empty is closed.
    case 'scratch':
    case 'tmp':
      return [`(deny file-read* file-write* ${place})`];
    case 'shown':
    case 'link':
      return [`(allow file-read* ${place})`];
    case 'kept':
      return [`(deny file-write* ${place})`];
    case 'writable':
      return [`(allow file-read* file-write* ${place})`];
  }
}

function ofSession(mount: Mount): string[] {
  if (mount.as !== 'tmp') return [];
  return [`(allow file-read*${mount.isReadOnly ? '' : ' file-write*'} (subpath ${quoted(mount.from)}))`];
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
