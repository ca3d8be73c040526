// Files that the build writes beside the bundle: the version and the web IDE. The bundle is as deep in the tree as this file, so that one
// path serves both.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const webFolder = join(import.meta.dirname, '..', '..', 'web', 'dist');

/** The version of the package when the sources run. */
export function version(): string {
  const built = join(import.meta.dirname, 'build.json');
  const file = existsSync(built) ? built : join(import.meta.dirname, '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
