// macOS: the same mounts as a Seatbelt profile for `sandbox-exec`. Its text is tested; it has not been run on a Mac.
import type { Mount, MountPlan } from './mount.ts';
import { privateTmp } from './private-tmp.ts';
import { scratchVariables } from './stand-ins.ts';
import { failureOf, systemProgram } from './system-program.ts';

export type Seatbelt = { path: string } | { why: string };

type Given = { plan: MountPlan; home: string; network: boolean; by: { path: string } };

let known: Seatbelt | undefined;

export function findSeatbelt(): Seatbelt {
  known ??= look();
  return known;
}

function look(): Seatbelt {
  const program = systemProgram('sandbox-exec');
  if (program === undefined) return { why: 'sandbox-exec is not installed.' };
  if ('why' in program) return program;
  const failure = failureOf([program.path, '-p', '(version 1)(allow default)', '/usr/bin/true']);
  return failure === undefined
    ? program
    : { why: `sandbox-exec does not work on this machine (${failure}).` };
}

export function writeSeatbelt(argv: readonly string[], { plan, home, network, by }: Given): string[] {
  const tmp = privateTmp(home, plan.root);
  const variables = scratchVariables(tmp).map(([name, value]) => `${name}=${value}`);
  return [by.path, '-p', seatbeltProfile(plan, tmp, network), '/usr/bin/env', ...variables, ...argv];
}

/** Of rules that fit the same place the last one counts, so outer places come first, as in the plan. */
export function seatbeltProfile({ isEmptyRoot, mounts }: MountPlan, tmp: string, network: boolean): string {
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
    `(allow file-read* file-write* (subpath ${quoted(tmp)}))`,
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
    // Nothing can be put in the place of a folder here, so what would be empty is closed.
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

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
