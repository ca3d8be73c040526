// The version the build wrote beside the bundle; started from its sources, the package's.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function version(): string {
  const built = join(import.meta.dirname, 'build.json');
  const file = existsSync(built) ? built : join(import.meta.dirname, '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
