// Where the user's own files are: what HOME says and what the system says, which may be two places.
import { homedir, userInfo } from 'node:os';

export function userHomes(): string[] {
  return [...new Set([homedir(), registeredHome()])].filter((path) => path.startsWith('/') && path !== '/');
}

function registeredHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user the system has no entry for.
    return '';
  }
}
