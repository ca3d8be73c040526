// Looks at every entry of the log, in the order of its session: what this process appends at once, what others appended in between
// as soon as this one appends again. Whoever appends never waits for it.
import type { SessionEvent, SessionLog } from '@codelab/protocol';
import { type Cause, currentCause } from './cause.ts';

/** `isPast`: from before this process looked. `cause` is known of entries that were appended here. */
export type Witnessed = { event: SessionEvent; isPast: boolean; cause: Cause };

export type LogWatch = {
  /** Also what a session held before: then its first entry here makes the whole of it be read. */
  needsPast: boolean;
  witness(witnessed: Witnessed): void;
  forget(session: string): void;
  appended(ms: number, entries: number): void;
  onFault(error: unknown): void;
};

type Place = { last: number; waiting: Witnessed[]; isReading: boolean };

const pageOf = 500;

export function watchLog(log: SessionLog, watch: LogWatch): SessionLog {
  const since = Date.now();
  const places = new Map<string, Place>();

  function take(place: Place, one: Witnessed): void {
    if (one.event.seq <= place.last) return;
    place.last = one.event.seq;
    watch.witness(one);
  }

  async function fill(session: string, place: Place): Promise<void> {
    place.isReading = true;
    try {
      for (let first = place.waiting[0]; first !== undefined; first = place.waiting[0]) {
        const missing = first.event.seq - 1 - place.last;
        const page =
          missing > 0 ? await log.read(session, { since: place.last, limit: Math.min(missing, pageOf) }) : [];
        for (const event of page) take(place, { event, isPast: event.time < since, cause: {} });
        if (missing > page.length && page.length > 0) continue;
        place.waiting.shift();
        take(place, first);
      }
    } catch (error) {
      // What can't be read is passed over, so that nothing heaps up here.
      place.last = place.waiting.at(-1)?.event.seq ?? place.last;
      place.waiting = [];
      watch.onFault(error);
    } finally {
      place.isReading = false;
    }
  }

  function look(session: string, events: readonly SessionEvent[], cause: Cause): void {
    const [first] = events;
    if (first === undefined) return;
    const place = places.get(session) ?? {
      last: watch.needsPast ? 0 : first.seq - 1,
      waiting: [],
      isReading: false,
    };
    places.set(session, place);
    const fresh = events.map((event) => ({ event, isPast: false, cause }));
    if (!place.isReading && first.seq === place.last + 1) for (const one of fresh) take(place, one);
    else {
      place.waiting.push(...fresh);
      if (!place.isReading) void fill(session, place);
    }
  }

  return {
    ...log,
    async append(session, bodies, options) {
      const before = performance.now();
      const events = await log.append(session, bodies, options);
      watch.appended(performance.now() - before, events.length);
      try {
        look(session, events, currentCause());
      } catch (error) {
        watch.onFault(error);
      }
      return events;
    },
    async delete(session, by) {
      await log.delete(session, by);
      places.delete(session);
      watch.forget(session);
    },
  };
}
