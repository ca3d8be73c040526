// The empty folder that stands where files would be.
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export function nowhereIn(home: string): string {
  const folder = join(home, 'elsewhere');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Whether a session belongs to a gateway without files. */
export function isNowhere(home: string, workspace: string): boolean {
  return workspace === join(realpathSync(home), 'elsewhere');
}
