import { expect, test } from 'vitest';
import { seatbeltProfile } from './seatbelt.ts';

const mounts = [
  { path: '/Users/u', as: 'scratch' as const },
  { path: '/Users/u/.cargo', as: 'shown' as const },
  { path: '/Users/u/work "1"', as: 'writable' as const },
  { path: '/Users/u/work "1"/.env', as: 'hidden' as const },
  { path: '/Users/u/work "1"/package.json', as: 'kept' as const },
];

test('a profile for what nobody was asked about denies by default and closes what would be empty', () => {
  const profile = seatbeltProfile(
    { isEmptyRoot: true, root: '/Users/u/work "1"', mounts },
    '/state/tmp',
    false,
  );
  expect(profile.split('\n')).toEqual([
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read mach-lookup ipc-posix-shm ipc-posix-sem)',
    '(allow file-read-metadata)',
    expect.stringMatching(/^\(allow file-read\* \(subpath "\/usr"\) /),
    '(allow file-read* file-write-data (subpath "/dev"))',
    '(deny file-read* file-write* (subpath "/Users/u"))',
    '(allow file-read* (subpath "/Users/u/.cargo"))',
    '(allow file-read* file-write* (subpath "/Users/u/work \\"1\\""))',
    '(deny file-read* file-write* (subpath "/Users/u/work \\"1\\"/.env"))',
    '(deny file-write* (subpath "/Users/u/work \\"1\\"/package.json"))',
    '(allow file-read* file-write* (subpath "/state/tmp"))',
    '(deny network*)',
  ]);
});

test('one that a person approved reads the machine, and has the network when it was granted', () => {
  const profile = seatbeltProfile({ isEmptyRoot: false, root: '/w', mounts: [] }, '/state/tmp', true);
  expect(profile).toContain('\n(allow file-read*)\n');
  expect(profile).toContain('(allow network*)');
});
