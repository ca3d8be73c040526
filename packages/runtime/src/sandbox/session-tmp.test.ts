import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { birthNow } from '../process/family/family.ts';
import { limitFamily } from '../process/family/limit-family.ts';
import {
  keepInUse,
  makeMountPoints,
  openSessionTmp,
  removeSessionTmp,
  removeUnused,
  sessionTmp,
  type TmpOwner,
} from './session-tmp.ts';

let folder: string;
const owner = (session: string): TmpOwner => ({
  home: join(folder, 'home'),
  session,
  root: join(folder, 'work'),
});
const options = { mostBytes: 1024 ** 3, later: () => undefined };
const hours = (count: number): number => Date.now() / 1000 - count * 3600;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what was not used for a day is removed', async () => {
  for (const [session, age] of [
    ['old', 25],
    ['new', 23],
  ] as const) {
    const { shared, holder } = openSessionTmp(owner(session), options);
    writeFileSync(join(shared, 'x'), 'x');
    utimesSync(holder, hours(age), hours(age));
  }
  await removeUnused(owner('').home, new AbortController().signal);
  expect(existsSync(sessionTmp(owner('old')).holder)).toBe(false);
  expect(existsSync(join(sessionTmp(owner('new')).shared, 'x'))).toBe(true);
});

test.each(['tmp', 'home/tmp'])(
  'nothing is removed in a foreign folder, nor what has another name (%s)',
  async (place) => {
    const base = place === 'tmp' ? join(folder, `codelab-${process.getuid?.()}`) : join(folder, 'home/tmp');
    const ownName = basename(sessionTmp(owner('s')).holder);
    const foreign = join(folder, 'foreign');
    const fill = (at: string): void => {
      for (const name of ['thesis', ownName]) {
        mkdirSync(join(at, name), { recursive: true, mode: 0o700 });
        utimesSync(join(at, name), hours(48), hours(48));
      }
    };
    const remove = async (): Promise<void> => {
      await removeUnused(owner('').home, new AbortController().signal);
      await removeSessionTmp(owner('').home, 's');
    };
    vi.stubEnv('TMPDIR', folder);
    try {
      fill(foreign);
      mkdirSync(join(folder, 'home'));
      symlinkSync(foreign, base);
      await remove();
      expect(readdirSync(foreign)).toHaveLength(2);
      rmSync(base);
      fill(base);
      chmodSync(base, 0o777);
      await remove();
      expect(readdirSync(base)).toHaveLength(2);
      chmodSync(base, 0o700);
      await remove();
      expect(readdirSync(base)).toEqual(['thesis']);
    } finally {
      vi.unstubAllEnvs();
    }
  },
);

test('a process that goes on keeps it in use, and does not bring back what was deleted', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const places = openSessionTmp(owner('s'), options);
    utimesSync(places.holder, hours(23), hours(23));
    using _used = keepInUse(places);
    vi.advanceTimersByTime(3_600_000);
    expect(Date.now() - lstatSync(places.holder).mtimeMs).toBeLessThan(60_000);
    rmSync(places.holder, { recursive: true });
    vi.advanceTimersByTime(3_600_000);
    expect(existsSync(places.holder)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('a folder that is too large is replaced at once and removed in turns, without what was written meanwhile', async () => {
  const mine = owner('s');
  const removals: Promise<void>[] = [];
  const later = (work: Promise<void>): void => void removals.push(work);
  const { holder, shared } = openSessionTmp(mine, { mostBytes: 10, later });
  for (let i = 0; i < 500; i++) writeFileSync(join(shared, `${i}`), '');
  writeFileSync(join(holder, 'size'), '11');
  expect(() => openSessionTmp(mine, { mostBytes: 10, later })).toThrow('limits.tmp_mb');
  expect(readdirSync(shared)).toEqual([]);
  expect(openSessionTmp(mine, { mostBytes: 10, later }).isNew).toBe(false);
  writeFileSync(join(shared, 'new'), '');
  expect(readdirSync(join(folder, 'home/tmp'))).toHaveLength(2);
  await Promise.all(removals);
  expect(readdirSync(shared)).toEqual(['new']);
  expect(readdirSync(join(folder, 'home/tmp'))).toEqual([basename(holder)]);
});

test('a mount point that is a link is made anew', () => {
  const { shared } = openSessionTmp(owner('s'), options);
  symlinkSync(folder, join(shared, 'top'));
  writeFileSync(join(shared, 'file'), '');
  makeMountPoints(shared, ['top', 'file', 'new']);
  expect(
    readdirSync(shared, { withFileTypes: true }).map((entry) => [entry.name, entry.isDirectory()]),
  ).toEqual([
    ['file', true],
    ['new', true],
    ['top', true],
  ]);
});

test('sessions and workspaces have names of their own, which tell neither', () => {
  const names = [owner('a'), owner('b'), { ...owner('a'), root: '/x' }, owner('../../etc'), owner('')].map(
    (tmpOwner) => sessionTmp(tmpOwner).holder,
  );
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/\/home\/tmp\/[0-9a-f]{32}-[0-9a-f]{16}$/);
});

test('a running command that fills it is stopped', async () => {
  const filled = join(folder, 'filled');
  mkdirSync(filled);
  writeFileSync(join(filled, 'big'), Buffer.alloc(100_000));
  const limits = { processes: 1e6, memoryBytes: 1e15, cpuMs: 1e12, tmpBytes: 50_000, folder: filled };
  const excess = await new Promise((resolve) => {
    limitFamily({ pid: process.pid, born: birthNow() }, limits, resolve);
  });
  expect(excess).toBe('tmpBytes');
});
