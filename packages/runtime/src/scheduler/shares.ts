// The places of one lane, handed out in turns: first to the person with the fewest calls running, then to their sessions one after
// the other.
import type { Job } from './job.ts';

export type Shares = {
  add(job: Job, begin: (job: Job) => void): void;
  remove(job: Job, begin: (job: Job) => void): void;
};

/** `servedAt` counts calls that were started; `ready` are the sessions that have a call to start and a place for it. */
type Session = { running: number; servedAt: number; queue: Set<Job> };
type Owner = { running: number; servedAt: number; sessions: Map<string, Session>; ready: Set<Session> };

export function createShares(perSession: number, most: number): Shares {
  const owners = new Map<string | undefined, Owner>();
  let running = 0;
  let served = 0;

  function ownerOf({ owner }: Job): Owner {
    const found = owners.get(owner) ?? { running: 0, servedAt: 0, sessions: new Map(), ready: new Set() };
    owners.set(owner, found);
    return found;
  }

  function sessionOf(owner: Owner, { session }: Job): Session {
    const found = owner.sessions.get(session) ?? { running: 0, servedAt: 0, queue: new Set() };
    owner.sessions.set(session, found);
    return found;
  }

  function note(owner: Owner, id: string, session: Session): void {
    if (session.queue.size > 0 && session.running < perSession) owner.ready.add(session);
    else owner.ready.delete(session);
    if (session.queue.size === 0 && session.running === 0) owner.sessions.delete(id);
  }

  function startWhatCan(begin: (job: Job) => void): void {
    while (running < most) {
      const owner = next([...owners.values()].filter(({ ready }) => ready.size > 0));
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
      const owner = ownerOf(job);
      const session = sessionOf(owner, job);
      session.queue.add(job);
      note(owner, job.session, session);
      startWhatCan(begin);
    },
    remove(job, begin) {
      const owner = ownerOf(job);
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

/** The one with the fewest running; of these the one that was served the longest time ago, or never. */
function next<T extends { running: number; servedAt: number }>(candidates: Iterable<T>): T | undefined {
  let best: T | undefined;
  for (const one of candidates)
    if (best === undefined || one.running < best.running || isEarlier(one, best)) best = one;
  return best;
}

function isEarlier<T extends { running: number; servedAt: number }>(one: T, other: T): boolean {
  return one.running === other.running && one.servedAt < other.servedAt;
}
