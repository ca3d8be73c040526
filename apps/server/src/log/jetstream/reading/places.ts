// Which message has which entry, as far as it was seen: bounded, and only ever a hint for where to search.
import type { Standing } from '../message.ts';

export type Places = {
  note(session: string, standing: Standing): void;
  /** Between which places of the stream the message lies that has this entry. */
  around(session: string, head: Standing, seq: number): { low: number; high: number };
  /** The last message that was seen; 0 when none was. */
  latest(session: string): number;
  forget(session: string): void;
};

type Seen = { generation: number; at: number[]; last: number[] };

const maxSessions = 2000;
const maxPlaces = 512;

export function createPlaces(): Places {
  const sessions = new Map<string, Seen>();
  return {
    note(session, { generation, at, seq }) {
      let seen = sessions.get(session);
      if (seen === undefined || seen.generation < generation) {
        seen = { generation, at: [], last: [] };
        sessions.delete(session);
        if (sessions.size >= maxSessions) sessions.delete(sessions.keys().next().value ?? '');
        sessions.set(session, seen);
      }
      if (seen.generation !== generation) return;
      const i = firstNotBelow(seen.at, at);
      if (seen.at[i] === at) return;
      seen.at.splice(i, 0, at);
      seen.last.splice(i, 0, seq);
      // Every second one: what is left still halves the search.
      if (seen.at.length > maxPlaces) thin(seen);
    },
    around(session, head, seq) {
      const seen = sessions.get(session);
      const whole = { low: head.generation + 1, high: head.at };
      if (seen?.generation !== head.generation) return whole;
      // The first message that was seen whose last entry is not before the one that is looked for.
      const i = firstNotBelow(seen.last, seq);
      const before = seen.at[i - 1];
      const from = seen.at[i];
      return {
        low: before === undefined ? whole.low : before + 1,
        high: Math.min(from ?? whole.high, whole.high),
      };
    },
    latest: (session) => sessions.get(session)?.at.at(-1) ?? 0,
    forget: (session) => void sessions.delete(session),
  };
}

function thin(seen: Seen): void {
  const isKept = (_: number, i: number): boolean => i % 2 === 1;
  seen.at = seen.at.filter(isKept);
  seen.last = seen.last.filter(isKept);
}

function firstNotBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
