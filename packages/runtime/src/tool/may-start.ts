// Whether a sub-agent may be started by those who act: by name, or without one, any at all.
import type { Profile } from './profile.ts';

export function mayStart(roles: readonly Profile[], agent?: string): boolean {
  return (
    roles.length > 0 &&
    roles.every(({ mode, mayStart: named }) => {
      if (named === undefined) return mode === 'primary';
      return agent === undefined ? named.length > 0 : named.includes(agent);
    })
  );
}
