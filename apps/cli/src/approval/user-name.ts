// The name the audit gives to whoever sits at this terminal.
import { userInfo } from 'node:os';

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run under a number that has no name.
    return process.env.USER || `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
