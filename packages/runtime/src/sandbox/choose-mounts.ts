// Which places a command sees in another way than as they are. The deeper one counts: a workspace below a hidden folder is there,
// and a hidden folder below the workspace is not.
import { lstatSync, realpathSync } from 'node:fs';
import { openStateFolder, statePlaces, userHomes } from '../workspace/state-folder.ts';
import { heldPlaces, heldRepositories } from './held-places.ts';
import { isWithin, type Mount, type MountPlan, realPlaces, settleMounts } from './mount.ts';
import { secretPlaces } from './secret-places.ts';
import { systemPlaces, toolPlaces } from './shown-places.ts';
import type { Unasked } from './unasked.ts';

type Wanted = { root: string; home: string; network: boolean };

// Holds the sockets of the machine's services: Docker's would be a way out, the resolver's one past the network.
const services = '/run';
// Of these, programs and the names of resolvers are needed all the same.
const shownServices = ['/run/current-system', '/run/opengl-driver'];
const resolvers = '/etc/resolv.conf';

/** For a command that a person approved, or allowed by a rule: the machine read-only, without its secrets. */
export function chooseMounts({ root, home, network }: Wanted): MountPlan {
  const homes = userHomes();
  const real = realpathSync(root);
  const shown = [...shownServices, ...(network ? [resolvers] : []), '/home/linuxbrew', ...homes];
  const mounts = [
    ...realPlaces([services, '/home', '/root', ...homes.flatMap(secretPlaces)], 'hidden'),
    ...ownPlaces(real),
    ...realPlaces(shown, 'shown'),
    { path: real, as: 'writable' as const },
    ...heldPlaces(real),
    ...realPlaces(statePlaces(openStateFolder(home)), 'hidden'),
  ];
  return { isEmptyRoot: false, root: real, mounts: settleMounts(latest(mounts), false) };
}

/** For one that nobody was asked about: an empty machine with the system's folders, toolchains and the workspace. */
export function chooseTightMounts({ root, home }: Wanted, unasked: Unasked): MountPlan {
  const homes = userHomes();
  const real = realpathSync(root);
  const mounts = [
    ...ownPlaces(real),
    ...realPlaces(homes, 'scratch'),
    ...systemPlaces(),
    ...toolPlaces(real, homes, unasked.shows),
    ...unasked.repository,
    ...realPlaces(homes.flatMap(secretPlaces), 'hidden'),
    ...workspacePlaces(real, unasked),
    ...realPlaces(statePlaces(openStateFolder(home)), 'hidden'),
  ];
  return { isEmptyRoot: true, root: real, mounts: settleMounts(latest(mounts), true) };
}

function workspacePlaces(root: string, unasked: Unasked): Mount[] {
  const { isReadOnly, writesGit, places } = unasked;
  // What went away since it was found needs no mount, and none could be made.
  const as = (paths: readonly string[], how: Mount['as']): Mount[] =>
    paths.filter(isThere).map((path) => ({ path, as: how }));
  const hidden = [...as(places.hidden, 'hidden'), ...as(unasked.closed, 'closed')];
  if (isReadOnly) return [{ path: root, as: 'shown' }, ...hidden];
  return [
    { path: root, as: 'writable' },
    ...as(places.parents, 'writable'),
    ...as(places.kept, 'kept'),
    ...hidden,
    ...heldRepositories(root, places.gits, writesGit),
  ];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function ownPlaces(root: string): Mount[] {
  const tmp = realpathSync('/tmp');
  return [
    { path: '/dev', as: 'devices' },
    { path: '/proc', as: 'processes' },
    ...realPlaces(['/var/tmp'], 'scratch'),
    { path: tmp, as: isWithin(root, tmp) ? 'scratch' : 'tmp' },
  ];
}

/** Where several speak about the same place, the last one counts. */
function latest(mounts: readonly Mount[]): Mount[] {
  return [...new Map(mounts.map((mount) => [mount.path, mount])).values()];
}
