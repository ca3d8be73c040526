// The heartbeats in a state folder.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** As for processes that were alive a moment ago, however long the sweep has taken since. */
export function makeFresh(home: string): void {
  const folder = join(home, 'owners');
  const now = new Date();
  try {
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), now, now);
  } catch {
    // The folder does not exist yet.
  }
}
