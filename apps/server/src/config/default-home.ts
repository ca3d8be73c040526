// Where CodeLab keeps its state: $CODELAB_HOME, or the platform's own folder for such things.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export function defaultHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CODELAB_HOME) return resolve(env.CODELAB_HOME);
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'codelab');
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'codelab');
    default:
      return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'codelab');
  }
}
