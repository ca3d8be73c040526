// Lets a test and a command take turns: the command says that it has come to a place and waits there until it is told to go on.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Paces = {
  /** A piece of shell at which the command waits without doing anything. */
  pause: string;
  /** When it waits, and has done so for a while. */
  reached(): Promise<void>;
  /** After a while, lets it go on. */
  goOn(): Promise<void>;
};

export function pacesIn(root: string, name = 'paces'): Paces {
  // In a folder that undo never looks at.
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

/** Long enough to be told apart from what was before. In small steps, so that a machine that stood still is not taken for a while. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 6; i++) await wait(40);
}
