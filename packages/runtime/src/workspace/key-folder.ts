// Where the key that signs the audit record is kept: apart from the state folder, so that whoever can rewrite the record has not got it.
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Only the environment can name another one: a setting in the state folder could be rewritten together with the record. */
export function keyFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CODELAB_KEYS) return resolve(env.CODELAB_KEYS);
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'codelab-keys');
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'codelab-keys');
    default:
      return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'codelab-keys');
  }
}

/** Node's own way to make the folders above as well does not end in places like /proc, where nothing can be made. */
export function makeKeyFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeKeyFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
