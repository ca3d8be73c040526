// Calls that want to run: what each waits for, and whose turn it is. First comes the person with the fewest calls running, then their sessions one after the other.
import type { Touch } from '@codelab/protocol';

// A call that wants to run: what it touches, whose it is, and what it waits for.

/** Calls that read, calls that change files, and commands. */
export type Lane = 'read' | 'change' | 'command';

/** What a call touches, whose it is, and whether it may change anything at all. */
export type CallDemand = {
  lane: Lane;
  session: string;
  /** Whom the session belongs to; undefined for the operator. */
  owner?: string | undefined;
  touches: readonly Touch[];
  /** The folder that the paths are in, where it is not the host's first: the same path in two folders is two files. */
  folder?: string | undefined;
  changes: boolean;
};

export type ScheduledCall = CallDemand & {
  askedAt: number;
  /** How many earlier calls that conflict with it have not ended. */
  blockers: number;
  /** Later calls that conflict with it. */
  blocked: ScheduledCall[];
  isRunning: boolean;
  start(): void;
};

// The places of one lane, handed out in turns: first to the person with the fewest calls running, then to their sessions one after
// the other.
export type Shares = {
  add(job: ScheduledCall, begin: (job: ScheduledCall) => void): void;
  remove(job: ScheduledCall, begin: (job: ScheduledCall) => void): void;
};

/** `servedAt` counts calls that were started; `ready` are the sessions that have a call to start and a place for it. */
type Session = { running: number; servedAt: number; queue: Set<ScheduledCall> };
type Owner = { running: number; servedAt: number; sessions: Map<string, Session>; ready: Set<Session> };

export function createShares(perSession: number, most: number): Shares {
  const owners = new Map<string | undefined, Owner>();
  let running = 0;
  let served = 0;

  function note(owner: Owner, id: string, session: Session): void {
    if (session.queue.size > 0 && session.running < perSession) owner.ready.add(session);
    else owner.ready.delete(session);
    if (session.queue.size === 0 && session.running === 0) owner.sessions.delete(id);
  }

  function startWhatCan(begin: (job: ScheduledCall) => void): void {
    while (running < most) {
      const owner = next(owners.values(), ({ ready }) => ready.size > 0);
      const session = owner && next(owner.ready);
      const [job] = session?.queue ?? [];
      if (owner === undefined || session === undefined || job === undefined) return;
      session.queue.delete(job);
      for (const one of [session, owner]) {
        one.running++;
        one.servedAt = ++served;
      }
      running++;
      note(owner, job.session, session);
      begin(job);
    }
  }

  return {
    add(job, begin) {
      const owner = ownerOf(owners, job);
      const session = sessionOf(owner, job);
      session.queue.add(job);
      note(owner, job.session, session);
      startWhatCan(begin);
    },
    remove(job, begin) {
      const owner = ownerOf(owners, job);
      const session = sessionOf(owner, job);
      if (job.isRunning) {
        session.running--;
        owner.running--;
        running--;
      } else session.queue.delete(job);
      note(owner, job.session, session);
      if (owner.sessions.size === 0) owners.delete(job.owner);
      startWhatCan(begin);
    },
  };
}

function ownerOf(owners: Map<string | undefined, Owner>, { owner }: ScheduledCall): Owner {
  const found = owners.get(owner) ?? { running: 0, servedAt: 0, sessions: new Map(), ready: new Set() };
  owners.set(owner, found);
  return found;
}

function sessionOf(owner: Owner, { session }: ScheduledCall): Session {
  const found = owner.sessions.get(session) ?? { running: 0, servedAt: 0, queue: new Set() };
  owner.sessions.set(session, found);
  return found;
}

/** The one with the fewest running; of these the one that was served the longest time ago, or never. */
function next<T extends { running: number; servedAt: number }>(
  candidates: Iterable<T>,
  isWaiting: (one: T) => boolean = () => true,
): T | undefined {
  let best: T | undefined;
  for (const one of candidates) {
    if (!isWaiting(one)) continue;
    if (best === undefined || one.running < best.running || isEarlier(one, best)) best = one;
  }
  return best;
}

function isEarlier<T extends { running: number; servedAt: number }>(one: T, other: T): boolean {
  return one.running === other.running && one.servedAt < other.servedAt;
}

/** Whether a call has to wait for an earlier one because of what both touch. */
type CallTouches = Pick<ScheduledCall, 'lane' | 'session' | 'touches' | 'folder'>;

/**
 * A command holds nothing against other sessions, since nobody knows how long it takes; for its own session what it declared counts,
 * so that a file is read after the command that was to write it.
 */
export function conflict(earlier: CallTouches, later: CallTouches): boolean {
  if (earlier.folder !== later.folder) return false;
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
