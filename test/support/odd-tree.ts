// Random trees with everything a tree can have that a plain copy loses.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import fc from 'fast-check';

const isRoot = process.getuid?.() === 0;
const name = fc.constantFrom(
  ...['a', 'b', 'é', ' ', '-m', 'a\nb', '…'].map((text) => Buffer.from(text)),
  Buffer.from('f\xff', 'latin1'),
  Buffer.from('\xc3', 'latin1'),
);
const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constant('file' as const) },
  { weight: 6, arbitrary: fc.constant('directory' as const) },
  { weight: 3, arbitrary: fc.constant('name' as const) },
  { weight: 2, arbitrary: fc.constant('link' as const) },
  { weight: 1, arbitrary: fc.constantFrom('sparse' as const, 'fifo' as const) },
);
const entry = fc.record({
  kind,
  name,
  /** The folder of an entry, and the file of a further name, as an index modulo the count. */
  at: fc.nat(20),
  size: fc.oneof(fc.nat(40), fc.constantFrom(4096, 1024 * 1024, 1024 * 1024 + 1)),
  // Without root, a file closed to its owner can't be read.
  mode: fc.integer({ min: 0, max: 0o7777 }).map((mode) => (isRoot ? mode : mode | 0o700)),
  owner: fc.constantFrom(0, 1000, 65534),
  /** Times before 1970 and after 2038 are times as well. */
  time: fc.integer({ min: -1e12, max: 5e12 }),
});
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

export const oddTree: fc.Arbitrary<Entry[]> = fc.array(entry, { maxLength: 25 });

/** Plants the tree at a path where nothing is; a name that is taken is left out. */
export function plantOddTree(path: string, entries: readonly Entry[]): void {
  const folders = [Buffer.from(path)];
  const others: Buffer[] = [];
  const created: [Buffer, Entry][] = [];
  mkdirSync(path);
  for (const entry of entries) {
    const above = folders[entry.at % folders.length] ?? Buffer.from(path);
    const target = Buffer.concat([above, Buffer.from('/'), entry.name]);
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) continue;
    if (!make(target, entry, others[entry.at % Math.max(1, others.length)])) continue;
    (entry.kind === 'directory' ? folders : others).push(target);
    created.push([target, entry]);
  }
  // Adding to a folder changes its time: the innermost come last in the list, so they are set first.
  for (const [target, entry] of created.toReversed()) setAttributes(target, entry);
  lutimesSync(path, 1e9, 1e9);
}

function make(target: Buffer, { kind, size }: Entry, other: Buffer | undefined): boolean {
  if (kind === 'directory') mkdirSync(target);
  else if (kind === 'file') writeFileSync(target, Buffer.alloc(size, 'text '));
  else if (kind === 'sparse') writeSparse(target, size);
  else if (kind === 'link') symlinkSync(Buffer.from('../to\xff', 'latin1'), target);
  else if (kind === 'fifo')
    return (
      !target.toString().includes('\ufffd') && spawnSync('mkfifo', ['--', target.toString()]).status === 0
    );
  else if (other === undefined) return false;
  else linkSync(other, target);
  return true;
}

function writeSparse(target: Buffer, size: number): void {
  writeFileSync(target, 'start');
  truncateSync(target, 3 * 1024 * 1024 + size);
  const fd = openSync(target, 'r+');
  writeSync(fd, 'middle', 1024 * 1024 + size);
  closeSync(fd);
}

function setAttributes(target: Buffer, { owner, mode, time }: Entry): void {
  if (isRoot) lchownSync(target, owner, owner);
  if (!lstatSync(target).isSymbolicLink()) chmodSync(target, mode);
  lutimesSync(target, time / 1000, time / 1000);
}
