// A temp folder laid out for a workbench (`work`, `home`), for tests that prepare it before, or use it after, the bench itself.
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Scratch = Disposable & { folder: string; root: string; home: string };

/** `owner` is the user everything belongs to. */
export function scratchFolder(options: { files?: Record<string, string>; owner?: number } = {}): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-test-'));
  const root = join(folder, 'work');
  const home = join(folder, 'home');
  const setOwner = (path: string): void => {
    if (options.owner !== undefined) chownSync(path, options.owner, options.owner);
  };
  for (const path of [root, home]) mkdirSync(path, { mode: 0o755 });
  for (const path of [folder, root, home]) setOwner(path);
  for (const [name, content] of Object.entries(options.files ?? {})) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    for (let at = path; at !== root; at = dirname(at)) setOwner(at);
  }
  return { folder, root, home, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
