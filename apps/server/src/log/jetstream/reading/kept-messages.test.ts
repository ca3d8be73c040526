import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyStanding } from '../message.ts';
import { createKeptMessages, type Message } from './kept-messages.ts';

/** Messages of one session, some without entries, with other sessions' messages in between. */
const sessions = fc
  .array(fc.record({ entries: fc.nat(3), gap: fc.nat(3), length: fc.nat(40) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((shapes) => {
    let [at, seq] = [0, 0];
    return shapes.map(({ entries, gap, length }, i): Message => {
      at += gap + 1;
      const first = seq + 1;
      seq += entries;
      const list = Array.from({ length: entries }, (_, n) => {
        return { seq: first + n, time: 1, hash: `h${first + n}`, json: 'x'.repeat(length) };
      });
      return { standing: { ...emptyStanding(0), at, seq, first, messages: i + 1 }, entries: list };
    });
  });

describe('messages that are kept', () => {
  test('are found whole or not at all, in whatever order they were seen', () => {
    const seen = fc.array(fc.nat(11), { maxLength: 30 });
    fc.assert(
      fc.property(sessions, seen, fc.nat(40), fc.nat(11), (messages, order, since, end) => {
        const kept = createKeptMessages();
        for (const i of order) if (messages[i]) kept.note('s', messages[i]);
        const head = messages[Math.min(end, messages.length - 1)]?.standing ?? emptyStanding(0);
        const found = kept.find('s', head, since);
        if (found === undefined) return;
        const entries = found.flatMap((one) => one.entries).filter(({ seq }) => seq > since);
        const all = messages.filter(({ standing }) => standing.at <= head.at).flatMap((one) => one.entries);
        expect(entries).toEqual(all.filter(({ seq }) => seq > since));
      }),
    );
  });

  test('are found after they were read from the first to the last', () => {
    fc.assert(
      fc.property(sessions, (messages) => {
        const kept = createKeptMessages();
        for (const message of messages) kept.note('s', message);
        const head = messages.at(-1)?.standing ?? emptyStanding(0);
        const found = kept.find('s', head, 0);
        if (head.seq > 0) expect(found?.flatMap((one) => one.entries).length).toBe(head.seq);
        kept.forget('s');
        expect(kept.find('s', head, 0)).toBeUndefined();
      }),
    );
  });

  test('of an earlier session of the name are not those of a later one', () => {
    const kept = createKeptMessages();
    const old = { ...emptyStanding(0), at: 1, seq: 1, messages: 1 };
    kept.note('s', { standing: old, entries: [{ seq: 1, time: 1, hash: 'a', json: '{}' }] });
    expect(kept.find('s', { ...old, generation: 5, at: 6 }, 0)).toBeUndefined();
  });
});
