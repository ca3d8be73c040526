// A folder with a workspace and a state folder beside it, removed at the end.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryWorkspace = Disposable & { workspace: string; home: string };

export function temporaryWorkspace(): TemporaryWorkspace {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-example-'));
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')];
  for (const path of [workspace, home]) mkdirSync(path);
  return { workspace, home, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
