// Two folders on different devices, as a container has them: one in the temp folder, one in memory.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';

/** A reason to skip, when this machine has only one. */
export const oneDevice: string | undefined = isElsewhere()
  ? undefined
  : 'the temp folder is on the same device as /dev/shm';

export type TwoDevices = Disposable & { disk: string; memory: string };

export function twoDevices(): TwoDevices {
  const folders = {
    disk: mkdtempSync(join(tmpdir(), 'codelab-test-')),
    memory: mkdtempSync(join(memory, 'codelab-test-')),
  };
  return {
    ...folders,
    [Symbol.dispose]() {
      for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isElsewhere(): boolean {
  const stat = statSync(memory, { throwIfNoEntry: false });
  return stat !== undefined && stat.dev !== statSync(tmpdir()).dev;
}
