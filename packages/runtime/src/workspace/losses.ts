// What a copy cannot have of a tree: counted by kind, the first ones by name.
import { visibleLine } from '@codelab/protocol';

const maxListed = 20;

export type LossKind = 'socket' | 'device' | 'FIFO' | 'owner' | 'group' | 'hard link';
type Loss = { path: string; what: LossKind };

export type Losses = {
  /** The first 20, and the first of each kind. */
  lost: Loss[];
  /** How many of each kind there are in all. */
  lostCounts: Partial<Record<LossKind, number>>;
};

export function noLosses(): Losses {
  return { lost: [], lostCounts: {} };
}

export function addLoss({ lost, lostCounts }: Losses, path: string, what: LossKind): void {
  // One of each kind is always among them.
  if (lost.length < maxListed || lostCounts[what] === undefined) lost.push({ path, what });
  lostCounts[what] = (lostCounts[what] ?? 0) + 1;
}

const words: Record<LossKind, (count: number) => string> = {
  socket: (count) => (count === 1 ? 'a socket' : `${count} sockets`),
  device: (count) => (count === 1 ? 'a device' : `${count} devices`),
  FIFO: (count) => (count === 1 ? 'a FIFO' : `${count} FIFOs`),
  owner: (count) => `the owner of ${entries(count)}`,
  group: (count) => `the group of ${entries(count)}`,
  'hard link': (count) => `the hard links of ${entries(count)} to names elsewhere`,
};
const maxNamed = 3;

/** A phrase for each kind, with some names: `2 sockets (run/a.sock, run/b.sock)`. */
export function describeLosses({ lost, lostCounts }: Losses): string[] {
  const kinds = [...new Set(lost.map(({ what }) => what))];
  return kinds.map((kind) => {
    const count = lostCounts[kind] ?? 0;
    const paths = lost.filter(({ what }) => what === kind).map(({ path }) => visibleLine(path));
    const named = paths.slice(0, maxNamed).join(', ');
    return `${words[kind](count)} (${named}${count > maxNamed ? ', …' : ''})`;
  });
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}
