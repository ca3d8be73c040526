import { expect, test } from 'vitest';
import type { Mount } from '../mounts/mount.ts';
import { seatbeltProfile } from './seatbelt.ts';

const mounts: Mount[] = [
  { path: '/private/tmp', as: 'tmp', from: '/state/tmp', isReadOnly: false },
  { path: '/private/tmp/.asked', as: 'tmp', from: '/state/asked', isReadOnly: true },
  { path: '/Users/u', as: 'scratch' },
  { path: '/Users/u/.cargo', as: 'shown' },
  { path: '/Users/u/work "1"', as: 'writable' },
  { path: '/Users/u/work "1"/.env', as: 'hidden' },
  { path: '/Users/u/work "1"/package.json', as: 'kept' },
];

test('a profile for what nobody was asked about denies by default and closes what would be empty', () => {
  const profile = seatbeltProfile({ isEmptyRoot: true, mounts }, false);
  expect(profile.split('\n')).toEqual([
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read mach-lookup ipc-posix-shm ipc-posix-sem)',
    '(allow file-read-metadata)',
    expect.stringMatching(/^\(allow file-read\* \(subpath "\/usr"\) /),
    '(allow file-read* file-write-data (subpath "/dev"))',
    '(deny file-read* file-write* (subpath "/private/tmp"))',
    '(deny file-read* file-write* (subpath "/private/tmp/.asked"))',
    '(deny file-read* file-write* (subpath "/Users/u"))',
    '(allow file-read* (subpath "/Users/u/.cargo"))',
    '(allow file-read* file-write* (subpath "/Users/u/work \\"1\\""))',
    '(deny file-read* file-write* (subpath "/Users/u/work \\"1\\"/.env"))',
    '(deny file-write* (subpath "/Users/u/work \\"1\\"/package.json"))',
    '(allow file-read* file-write* (subpath "/state/tmp"))',
    '(allow file-read* (subpath "/state/asked"))',
    '(deny network*)',
  ]);
});

test('one that a person approved reads the machine, and has the network when it was granted', () => {
  const profile = seatbeltProfile({ isEmptyRoot: false, mounts: [] }, true);
  expect(profile).toContain('\n(allow file-read*)\n');
  expect(profile).toContain('(allow network*)');
});
