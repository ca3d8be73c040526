// The profiles of a home and a workspace with the given files: `home/agents/x.md`, `work/.codelab/agents/x.md`.
import type { ProfileSource } from '@codelab/runtime';
import { profileSource } from '@codelab/server';
import { folderWith } from './folder-with.ts';
import { scratchFolder } from './scratch-folder.ts';

export function profilesIn(files: Record<string, string>, isTrusted = false): ProfileSource & Disposable {
  const scratch = scratchFolder();
  folderWith(scratch.folder, files);
  const { home, root } = scratch;
  return Object.assign(profileSource({ home, root, isTrusted }), {
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  });
}
