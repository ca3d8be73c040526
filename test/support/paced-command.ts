// Lets a test and a command take turns: the command reports a point and waits there until it is released.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Paces = {
  /** A piece of shell at which the command waits without doing anything. */
  pause: string;
  /** Resolves when the command has been waiting for a while. */
  reached(): Promise<void>;
  /** Releases the command after a while. */
  goOn(): Promise<void>;
};

export function pacesIn(root: string, name = 'paces'): Paces {
  // In a folder that undo never inspects.
  const folder = `node_modules/${name}`;
  const [ready, go] = [join(root, folder, 'ready'), join(root, folder, 'go')];
  mkdirSync(join(root, folder), { recursive: true });
  execFileSync('mkfifo', [ready, go]);
  return {
    pause: `echo > ${folder}/ready; read x < ${folder}/go`,
    async reached() {
      await readFile(ready);
      await quiet();
    },
    async goOn() {
      await quiet();
      await writeFile(go, '\n');
    },
  };
}

/** Waits long enough to separate activity from what came before. In small steps, so that a pause of the machine does not count. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 6; i++) await wait(40);
}
