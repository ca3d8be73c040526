// Which way each thing is done on this system that not every system can do, and what the way in use does not promise.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemWays } from '@codelab/runtime';
import type { Finding } from './finding.ts';

export function checkSystem({ workspace, home }: { workspace: string; home: string }): Finding[] {
  return systemWays({ workspace, home: nearestFolder(home) }).map(({ name, way, isFull, promise }) => ({
    name,
    status: isFull ? 'ok' : 'missing',
    isRequired: false,
    found: way,
    advice: isFull ? promise : `${promise}: docs/systems.md`,
  }));
}

export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
