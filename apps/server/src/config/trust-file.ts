// Which workspace configurations the user trusts, each by the hash of the very text they saw.
import { join } from 'node:path';
import { digest, openCommitLock } from '@codelab/runtime';
import { readStateFile, writeStateFile } from './state-file.ts';

export function readTrust(home: string): Record<string, string> {
  const value = readStateFile(join(home, 'trust.json')) ?? {};
  // What can't be read trusts nobody.
  if (typeof value !== 'object' || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

/** `text` is what they saw, not what stands there by now; undefined trusts it no more. */
export async function setTrust(home: string, root: string, text: string | undefined): Promise<void> {
  using lock = openCommitLock(home);
  await lock.hold(() => {
    const trust = readTrust(home);
    if (text === undefined) delete trust[root];
    else trust[root] = digest(text);
    writeStateFile(join(home, 'trust.json'), trust);
  });
}
