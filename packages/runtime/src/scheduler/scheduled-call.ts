// A call to be scheduled: what it touches, whose it is, and which calls it conflicts with and waits for.
import type { Touch } from '@codelab/protocol';

/** Calls that read, calls that change files, and commands. */
export type Lane = 'read' | 'change' | 'command';

/** The touches of a call, its owner, and whether it may change anything. */
export type CallDemand = {
  lane: Lane;
  session: string;
  /** The session's owner; undefined for the operator. */
  owner?: string | undefined;
  touches: readonly Touch[];
  /** The folder of the paths, where it is not the host's main one: the same path in two folders is two files. */
  folder?: string | undefined;
  changes: boolean;
};

export type ScheduledCall = CallDemand & {
  askedAt: number;
  /** The number of earlier conflicting calls that have not ended. */
  blockers: number;
  /** Later calls that conflict with it. */
  blocked: ScheduledCall[];
  isRunning: boolean;
  start(): void;
};

/** Whether a call has to wait for an earlier one because they touch the same things. */
type CallTouches = Pick<ScheduledCall, 'lane' | 'session' | 'touches' | 'folder'>;

/**
 * A command blocks no other sessions, since its duration is unknown. For its own session its declared touches count, so that a file is read
 * after the command that was to write it.
 */
export function conflict(earlier: CallTouches, later: CallTouches): boolean {
  if (earlier.folder !== later.folder) return false;
  if (earlier.lane === 'command' && earlier.session !== later.session) return false;
  return earlier.touches.some((x) => later.touches.some((y) => isHeld(x, y)));
}

// A call that lists or searches a folder may see the content before or after a change, so it conflicts only with changes to the
// path that it names.
function isHeld(x: Touch, y: Touch): boolean {
  if (x.access === 'read') return y.access !== 'read' && isWithin(x.path, y.path);
  if (y.access === 'read') return isWithin(y.path, x.path);
  return isWithin(x.path, y.path) || isWithin(y.path, x.path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '.' || path.startsWith(`${folder}/`);
}

export type LaneState = { running: number; waiting: number; oldestWaitMs: number };

/** How full the lanes are. */
export function lanesIn(live: ReadonlySet<ScheduledCall>): Record<Lane, LaneState> {
  const now = performance.now();
  const empty = (): LaneState => ({ running: 0, waiting: 0, oldestWaitMs: 0 });
  const states = { read: empty(), change: empty(), command: empty() };
  for (const { lane, isRunning, askedAt } of live) {
    const state = states[lane];
    if (isRunning) state.running++;
    else {
      state.waiting++;
      state.oldestWaitMs = Math.max(state.oldestWaitMs, Math.round(now - askedAt));
    }
  }
  return states;
}
