// Which paths a command sees differently from how they are. The deeper path counts: a workspace below a hidden folder is visible,
// and a hidden folder below the workspace is not.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { openStateFolder, statePlaces, userHomes } from '../../workspace/state-folder.ts';
import { gitConfigCopy } from '../backends/stand-ins.ts';
import type { SandboxHold } from '../sandbox-hold.ts';
import { askedName, type SessionTmp } from '../session-tmp.ts';
import { heldPlaces, heldRepositories } from './held-places.ts';
import { type Mount, type MountPlan, realPlaces, settleMounts } from './mount.ts';
import { secretPlaces, settingsWithLogins } from './secret-places.ts';
import { systemPlaces, toolPlaces } from './shown-places.ts';

type MountOptions = {
  root: string;
  home: string;
  network: boolean;
  /** The session's /tmp; without it, /tmp ends with the command. */
  tmp: SessionTmp | undefined;
};

// Holds the sockets of services: Docker's would be a way out of the sandbox, the resolver's a way around the network block.
const services = '/run';
// Programs and resolver settings in /run that are needed nevertheless.
const shownServices = ['/run/current-system', '/run/opengl-driver'];
const resolvers = '/etc/resolv.conf';

/** For an asked command: the machine read-only, without its secrets. */
export function chooseMounts({ root, home, network, tmp }: MountOptions): MountPlan {
  const homes = userHomes();
  const real = realpathSync(root);
  const shownPaths = [...shownServices, ...(network ? [resolvers] : []), '/home/linuxbrew', ...homes];
  const mounts = [
    ...realPlaces([services, '/home', '/root', ...homes.flatMap(secretPlaces)], 'hidden'),
    ...ownPlaces(tmp),
    ...realPlaces(shownPaths, 'shown'),
    { path: real, as: 'writable' as const },
    ...heldPlaces(real),
    ...realPlaces(statePlaces(openStateFolder(home)), 'hidden'),
  ];
  return { isEmptyRoot: false, mounts: settleMounts(latest(aboveTmp(mounts)), false) };
}

/** For an unasked command: an empty root with the system's folders, toolchains and the workspace. */
export function chooseTightMounts({ root, home, tmp }: MountOptions, unasked: SandboxHold): MountPlan {
  const homes = userHomes();
  const real = realpathSync(root);
  const mounts = [
    ...ownPlaces(tmp, unasked),
    ...realPlaces(homes, 'scratch'),
    ...systemPlaces(),
    ...toolPlaces(real, homes, unasked.shows),
    ...gitSettings(homes, home),
    ...unasked.repository,
    ...realPlaces(homes.flatMap(secretPlaces), 'hidden'),
    ...realPlaces(homes.flatMap(settingsWithLogins), 'hidden'),
    ...workspacePlaces(real, unasked),
    ...realPlaces(statePlaces(openStateFolder(home)), 'hidden'),
  ];
  return { isEmptyRoot: true, mounts: settleMounts(latest(aboveTmp(mounts)), true) };
}

/** Git's settings of the user and of the machine may hold logins: an unasked command has a copy without. */
function gitSettings(homes: readonly string[], home: string): Mount[] {
  const files = homes.flatMap((homeFolder) => [
    `${homeFolder}/.gitconfig`,
    `${homeFolder}/.config/git/config`,
  ]);
  return realPlaces([...files, '/etc/gitconfig'], 'hidden').map(({ path }) => {
    const from = gitConfigCopy(home, path);
    return from === undefined ? { path, as: 'hidden' } : { path, as: 'copy', from };
  });
}

function workspacePlaces(root: string, unasked: SandboxHold): Mount[] {
  const { isReadOnly, writesGit, places } = unasked;
  // A path that was deleted since it was found needs no mount, and none could be made.
  const mountsOf = (paths: readonly string[], kind: 'writable' | 'kept' | 'hidden' | 'closed'): Mount[] =>
    paths.filter(isThere).map((path) => ({ path, as: kind }));
  const hidden = [...mountsOf(places.hidden, 'hidden'), ...mountsOf(unasked.closed, 'closed')];
  if (isReadOnly) return [{ path: root, as: 'shown' }, ...hidden];
  return [
    { path: root, as: 'writable' },
    ...mountsOf(places.parents, 'writable'),
    ...mountsOf(places.kept, 'kept'),
    ...hidden,
    ...heldRepositories(root, places.gits, writesGit),
  ];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function ownPlaces(tmp: SessionTmp | undefined, unasked?: SandboxHold): Mount[] {
  const path = realpathSync('/tmp');
  const isUnasked = unasked !== undefined;
  const isReadOnly = unasked?.isReadOnly === true;
  return [
    { path: '/dev', as: 'devices' },
    { path: '/proc', as: 'processes' },
    ...realPlaces(['/var/tmp'], 'scratch'),
    ...(tmp === undefined
      ? [{ path, as: 'scratch' as const }]
      : [
          { path, as: 'tmp' as const, from: tmp.shared, isReadOnly },
          { path: `${path}/${askedName}`, as: 'tmp' as const, from: tmp.asked, isReadOnly: isUnasked },
        ]),
  ];
}

/**
 * Puts a folder in memory around each deeper mount below /tmp, such as a workspace there. Every entry directly in /tmp is then a mount,
 * which a command cannot replace by a link that the next command's mounts would follow.
 */
function aboveTmp(mounts: readonly Mount[]): Mount[] {
  const tmp = mounts.find(({ as }) => as === 'tmp')?.path;
  if (tmp === undefined) return [...mounts];
  const tops = mounts
    .filter(({ path, as }) => isMade.has(as) && path.startsWith(`${tmp}/`))
    .map(({ path }) => path.split('/', tmp.split('/').length + 1).join('/'));
  // A link directly in /tmp would be created in the session's folder and outlive the command.
  const rest = mounts.filter(({ path, as }) => !(as === 'link' && dirname(path) === tmp));
  return [...[...new Set(tops)].map((path): Mount => ({ path, as: 'scratch' })), ...rest];
}

const isMade = new Set<Mount['as']>(['scratch', 'shown', 'writable', 'link', 'copy']);

/** Of several mounts for the same path, the last one counts. */
function latest(mounts: readonly Mount[]): Mount[] {
  return [...new Map(mounts.map((mount) => [mount.path, mount])).values()];
}
