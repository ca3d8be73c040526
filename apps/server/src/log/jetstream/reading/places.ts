// Which message has which entry, as far as seen: bounded, and only a hint for searching.
import type { Standing } from '../message.ts';

export type Places = {
  note(session: string, standing: Standing): void;
  /** Between which places of the stream the message lies that has this entry. */
  rangeOf(session: string, head: Standing, seq: number): { low: number; high: number };
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
      let known = sessions.get(session);
      if (known === undefined || known.generation < generation) {
        known = { generation, at: [], last: [] };
        sessions.delete(session);
        if (sessions.size >= maxSessions) sessions.delete(sessions.keys().next().value ?? '');
        sessions.set(session, known);
      }
      if (known.generation !== generation) return;
      const i = firstNotBelow(known.at, at);
      if (known.at[i] === at) return;
      known.at.splice(i, 0, at);
      known.last.splice(i, 0, seq);
      // Drops every second one: the rest still halves the search.
      if (known.at.length > maxPlaces) thin(known);
    },
    rangeOf(session, head, seq) {
      const known = sessions.get(session);
      const wholeRange = { low: head.generation + 1, high: head.at };
      if (known?.generation !== head.generation) return wholeRange;
      // The first message that was seen whose last entry is not before the one that is looked for.
      const i = firstNotBelow(known.last, seq);
      const before = known.at[i - 1];
      const from = known.at[i];
      return {
        low: before === undefined ? wholeRange.low : before + 1,
        high: Math.min(from ?? wholeRange.high, wholeRange.high),
      };
    },
    latest: (session) => sessions.get(session)?.at.at(-1) ?? 0,
    forget: (session) => void sessions.delete(session),
  };
}

function thin(places: Seen): void {
  const isKept = (_: number, i: number): boolean => i % 2 === 1;
  places.at = places.at.filter(isKept);
  places.last = places.last.filter(isKept);
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
