// The program that a bare name stands for, found as the shell of a command would find it.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, trustedPath } from '../process/child-environment.ts';
import { identity } from '../workspace/directory.ts';

export type FoundProgram = {
  /** Where it really lies. */
  real: string;
  /** Which version of it: an update changes it. */
  version: string;
  /** Relative to the workspace, when a link leads back into it. */
  inside: string | undefined;
};

export function findOnPath(name: string, root: string): FoundProgram | undefined {
  for (const folder of trustedPath(root)) {
    const path = join(folder, name);
    try {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat?.isFile() !== true) continue;
      accessSync(path, constants.X_OK);
      const real = realpathSync(path);
      const inside = isWithin(real, root) ? real.slice(root.length + 1) : undefined;
      return { real, version: identity(stat), inside };
    } catch {
      // Nobody may run it, so the next folder is searched.
    }
  }
  return undefined;
}
