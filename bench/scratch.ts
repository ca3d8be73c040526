// A temp folder with a workspace and a state folder, removed afterwards.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Scratch = Disposable & { folder: string; root: string; home: string };

export function scratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-bench-'));
  const root = join(folder, 'work');
  mkdirSync(root);
  return {
    folder,
    root,
    home: join(folder, 'home'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
