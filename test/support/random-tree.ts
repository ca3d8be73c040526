// Random workspaces on the real disk, full of links that lead in, out, round and nowhere; and random paths through them.
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';

const names = ['a', 'b', 'é', '.h x'];
const name = fc.constantFrom(...names);
const place = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const outsidePlace = fc.constantFrom('', '/secret.txt', '/d', '/d/deep.txt', '/missing');

/** OUT and ROOT stand for the folder outside and for the workspace. */
const target = fc.oneof(
  { weight: 4, arbitrary: fc.record({ to: fc.constant('inside'), place, isAbsolute: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ to: fc.constant('outside'), place: outsidePlace, isAbsolute: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      to: fc.constant('text'),
      place: fc
        .array(fc.constantFrom(...names, '..', '.', ''), { minLength: 1, maxLength: 5 })
        .map((p) => p.join('/')),
      isAbsolute: fc.constant(false),
    }),
  },
);
type Target = typeof target extends fc.Arbitrary<infer T> ? T : never;

const entry = fc.oneof(
  fc.record({ at: place, kind: fc.constant('directory' as const) }),
  fc.record({ at: place, kind: fc.constant('file' as const) }),
  fc.record({ at: place, kind: fc.constant('link' as const), target }),
);
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

export const randomTree: fc.Arbitrary<Entry[]> = fc.array(entry, { minLength: 3, maxLength: 14 });

const segment = fc.oneof(
  { weight: 12, arbitrary: name },
  { weight: 3, arbitrary: fc.constantFrom('.', '..', '', 'secret.txt', 'd', 'deep.txt') },
  { weight: 1, arbitrary: fc.constantFrom('\0', '..\\', ' ', '~', '*', '%2e%2e', '\u202e', '\n', 'C:', '-') },
);

const oddPath = fc
  .tuple(
    fc.oneof(
      { weight: 15, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom('/', 'ROOT/', 'OUT/') },
    ),
    fc.array(segment, { minLength: 1, maxLength: 4 }),
  )
  .map(([start, parts]) => start + parts.join('/'));

export const randomPath: fc.Arbitrary<string> = fc.oneof(oddPath, place);

/** Clears the workspace and plants the tree; what finds no real directory to stand in is left out. */
export function createTree(root: string, outside: string, entries: readonly Entry[]): void {
  for (const old of readdirSync(root)) rmSync(join(root, old), { recursive: true, force: true });
  for (const entry of entries) {
    const path = join(root, entry.at);
    if (!hasRealParents(root, entry.at) || lstatSync(path, { throwIfNoEntry: false })) continue;
    if (entry.kind === 'directory') mkdirSync(path);
    else if (entry.kind === 'file') writeFileSync(path, `inside ${entry.at}\n`);
    else symlinkSync(textOf(entry.target, path, root, outside), path);
  }
}

// Directories on the way are made; a link or a file on the way is not passed.
function hasRealParents(root: string, at: string): boolean {
  let path = root;
  for (const part of at.split('/').slice(0, -1)) {
    path = join(path, part);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(path);
    else if (!stat.isDirectory()) return false;
  }
  return true;
}

function textOf({ to, place, isAbsolute }: Target, link: string, root: string, outside: string): string {
  if (to === 'text') return place || '.';
  const goal = to === 'inside' ? join(root, place) : outside + place;
  return isAbsolute ? goal : relative(dirname(link), goal) || '.';
}
