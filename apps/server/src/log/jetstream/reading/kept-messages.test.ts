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
    const orders = fc.array(fc.nat(11), { maxLength: 30 });
    fc.assert(
      fc.property(sessions, orders, fc.nat(40), fc.nat(11), (messages, order, since, end) => {
        const keptMessages = createKeptMessages();
        for (const i of order) if (messages[i]) keptMessages.note('s', messages[i]);
        const head = messages[Math.min(end, messages.length - 1)]?.standing ?? emptyStanding(0);
        const found = keptMessages.find('s', head, since);
        if (found === undefined) return;
        const entries = found.flatMap((message) => message.entries).filter(({ seq }) => seq > since);
        const all = messages
          .filter(({ standing }) => standing.at <= head.at)
          .flatMap((message) => message.entries);
        expect(entries).toEqual(all.filter(({ seq }) => seq > since));
      }),
    );
  });

  test('are found after they were read from the first to the last', () => {
    fc.assert(
      fc.property(sessions, (messages) => {
        const keptMessages = createKeptMessages();
        for (const message of messages) keptMessages.note('s', message);
        const head = messages.at(-1)?.standing ?? emptyStanding(0);
        const found = keptMessages.find('s', head, 0);
        if (head.seq > 0) expect(found?.flatMap((message) => message.entries).length).toBe(head.seq);
        keptMessages.forget('s');
        expect(keptMessages.find('s', head, 0)).toBeUndefined();
      }),
    );
  });

  test('of an earlier session of the name are not those of a later one', () => {
    const keptMessages = createKeptMessages();
    const old = { ...emptyStanding(0), at: 1, seq: 1, messages: 1 };
    keptMessages.note('s', { standing: old, entries: [{ seq: 1, time: 1, hash: 'a', json: '{}' }] });
    expect(keptMessages.find('s', { ...old, generation: 5, at: 6 }, 0)).toBeUndefined();
  });
});
