// Which places a command sees in another way than as they are. The deeper one counts: a workspace below a hidden folder is there,
// and a hidden folder below the workspace is not.
import { lstatSync, realpathSync } from 'node:fs';
import { openStateFolder, statePlaces } from '../workspace/state-folder.ts';
import { heldPlaces } from './held-places.ts';
import { isReplaced, type Mount } from './mount.ts';
import { secretPlaces } from './secret-places.ts';
import { userHomes } from './user-homes.ts';

type Wanted = { root: string; home: string; network: boolean };

// Holds the sockets of the machine's services: Docker's would be a way out, the resolver's one past the network.
const services = '/run';
// Of these, programs and the names of resolvers are needed all the same.
const shownServices = ['/run/current-system', '/run/opengl-driver'];
const resolvers = '/etc/resolv.conf';

export function chooseMounts({ root, home, network }: Wanted): Mount[] {
  const homes = userHomes();
  const shown = [...shownServices, ...(network ? [resolvers] : []), '/home/linuxbrew', ...homes];
  const hidden = [services, '/home', '/root', ...homes.flatMap(secretPlaces)];
  const real = realpathSync(root);
  const tmp = realpathSync('/tmp');
  // Where two speak about the same place, the later one counts.
  const wanted = new Map<string, Mount['as']>([
    ['/dev', 'devices'],
    ['/proc', 'processes'],
    ...realOf(hidden, 'hidden'),
    ...realOf(['/var/tmp'], 'scratch'),
    [tmp, isWithin(real, tmp) ? 'scratch' : 'tmp'],
    ...realOf(shown, 'shown'),
    [real, 'writable'],
    ...heldPlaces(real).map(({ path, as }) => [path, as] as const),
    ...realOf(statePlaces(openStateFolder(home)), 'hidden'),
  ]);
  return settle([...wanted].map(([path, as]) => ({ path, as })));
}

/** Outer places first, without those that change nothing. */
function settle(mounts: readonly Mount[]): Mount[] {
  const settled: Mount[] = [];
  for (const mount of mounts.toSorted((a, b) => depthOf(a.path) - depthOf(b.path))) {
    const around = settled.findLast(({ path }) => isWithin(mount.path, path))?.as;
    const isGone = isReplaced(around);
    if (isGone && mount.as !== 'shown' && mount.as !== 'writable') continue;
    if (!isGone && mount.as === 'shown') continue;
    settled.push(mount);
  }
  return settled;
}

// A link's target is what has to be hidden; what does not exist needs no hiding.
function realOf(paths: readonly string[], as: Mount['as']): [string, Mount['as']][] {
  return paths.flatMap((path): [string, Mount['as']][] => {
    // Most of them are not there, and a failure costs far more than a look.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    try {
      return [[realpathSync.native(path), as]];
    } catch {
      return [];
    }
  });
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}
