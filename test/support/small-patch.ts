// Patches of one line, and the entries of a folder, for tests that inspect the leftovers of a change.
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const update = (path: string, from: string, to: string): string =>
  `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

export const create = (path: string, text: string): string =>
  `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`;

/** Every file below, by its path, with its text. */
export function contents(root: string): Record<string, string> {
  const entries: Dirent[] = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]),
  );
}
