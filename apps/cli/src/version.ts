// The version the build wrote beside the bundle.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function version(): string {
  const file = join(import.meta.dirname, 'build.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
