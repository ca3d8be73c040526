// Whether a call has to wait for an earlier one because of what both touch.
import type { Touch } from '@codelab/protocol';
import type { Job } from './job.ts';

type Wishes = Pick<Job, 'lane' | 'session' | 'touches'>;

/**
 * A command holds nothing against other sessions, since nobody knows how long it takes; for its own session what it declared counts,
 * so that a file is read after the command that was to write it.
 */
export function conflict(earlier: Wishes, later: Wishes): boolean {
  if (earlier.lane === 'command' && earlier.session !== later.session) return false;
  return earlier.touches.some((x) => later.touches.some((y) => isHeld(x, y)));
}

// Whoever lists or searches a folder sees what is below it before or after a change, so only what it names itself is in its way.
function isHeld(x: Touch, y: Touch): boolean {
  if (x.access === 'read') return y.access !== 'read' && isWithin(x.path, y.path);
  if (y.access === 'read') return isWithin(y.path, x.path);
  return isWithin(x.path, y.path) || isWithin(y.path, x.path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '.' || path.startsWith(`${folder}/`);
}
