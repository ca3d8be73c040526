/** Machine code that the build has made for this and other processors; each package does without. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PackedFile } from './tarball.ts';

/** The programs, to be put into a folder of a package. */
export function nativePrograms(root: string, folder: string): PackedFile[] {
  const built = join(root, 'packages', 'runtime', 'native', 'dist');
  return globSync('trace-writes-{x64,arm64}', { cwd: built }).map((name) => ({
    name: `${folder}/${basename(name)}`,
    contents: readFileSync(join(built, name)),
    isExecutable: true,
  }));
}
