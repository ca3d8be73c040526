// The laws of a session log, for every store it can be in: order, conflict, durability, replay, subscription, deletion, proof.
import type { EventBody, SessionEvent, SessionLog } from '@codelab/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LogStore, logStores } from '../support/log-stores.ts';
import { createRandom } from '../support/random.ts';

const opened = (extra: object = {}): EventBody => ({ type: 'session.opened', workspace: '/wörk', ...extra });
const titledEvent = (title: string): EventBody => ({ type: 'session.titled', title });
const askedEvent = (n: number): EventBody =>
  ({ type: 'approval.requested', callId: `c${n}`, approval: { id: `a${n}` } }) as never;
const started = (n: number): EventBody =>
  ({ type: 'call.started', callId: `c${n}`, args: {}, intents: [], slot: 's' }) as never;
const finished = (n: number, effects: object[] = []): EventBody =>
  ({ type: 'call.finished', callId: `c${n}`, outcome: { status: 'completed', tool: 't', effects } }) as never;
const seqs = (events: readonly SessionEvent[]): number[] => events.map(({ seq }) => seq);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const never = new AbortController().signal;

for (const [name, { isMissing, start }] of Object.entries(logStores))
  describe.skipIf(isMissing)(`a session log in ${name}`, () => {
    let store: LogStore;
    let firstLog: SessionLog;
    let other: SessionLog;
    let count = 0;
    const fresh = (): string => `s.${++count}`;
    beforeAll(async () => {
      store = await start();
      [firstLog, other] = [await store.open('laws'), await store.open('laws')];
    });
    afterAll(async () => {
      await Promise.all([firstLog?.close(), other?.close()]);
      await store?.[Symbol.asyncDispose]();
    });

    test('keeps entries in order, numbered and chained, whoever appends', async () => {
      const id = fresh();
      const first = await firstLog.append(id, [opened(), titledEvent('a')], { expected: 0 });
      const second = await other.append(id, [titledEvent('b')], { expected: 2, durable: true });
      expect(await firstLog.read(id)).toEqual([...first, ...second]);
      expect(seqs(await other.read(id))).toEqual([1, 2, 3]);
      expect(await firstLog.prove(id, never)).toBeUndefined();
    });

    test('of writers who expect the same, exactly one appends, and all of its entries', async () => {
      const id = fresh();
      await firstLog.append(id, [opened()], { expected: 0 });
      for (let round = 1; round <= 5; round++) {
        const expected = 1 + (round - 1) * 2;
        const tries = Array.from({ length: 8 }, (_, i) =>
          (i % 2 ? firstLog : other).append(id, [titledEvent(`${i}`), titledEvent(`${i}`)], {
            expected,
            durable: i % 3 === 0,
          }),
        );
        const results = await Promise.allSettled(tries);
        const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        expect(won).toHaveLength(1);
        for (const result of results)
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'LOG_CONFLICT' });
        expect(await firstLog.read(id, { since: expected })).toEqual(won[0]);
      }
    });

    test('equal appends of two writers at one moment are still two, of which one is refused', async () => {
      const id = fresh();
      const tries = range(1, 6).map((i) =>
        (i % 2 ? firstLog : other).append(id, [opened()], { expected: 0 }),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await other.read(id)).toHaveLength(1);
    });

    test('replays from any entry, by number and by size', async () => {
      const id = fresh();
      const random = createRandom(7);
      const all: SessionEvent[] = [];
      while (all.length < 120) {
        const bodies = range(0, random.below(4)).map((i) => titledEvent(`${i}`.repeat(random.below(300))));
        all.push(
          ...(await firstLog.append(id, all.length === 0 ? [opened()] : bodies, { expected: all.length })),
        );
        // Messages of another session lie between these.
        if (random.chance(0.3)) await firstLog.append(fresh(), [opened()], { expected: 0 });
      }
      for (let i = 0; i < 25; i++) {
        const since = random.below(all.length + 2);
        const limit = random.below(20);
        const log = await (i % 5 === 0 ? store.open('laws') : other);
        expect(await log.read(id, { since, limit })).toEqual(all.slice(since, since + limit));
        if (i % 5 === 0) await log.close();
      }
      expect(await other.read(id)).toEqual(all);
      const page = await firstLog.read(id, { since: 10, maxChars: 2000 });
      expect(page).toEqual(all.slice(10, 10 + page.length));
      expect(page.length).toBeGreaterThan(1);
      expect(seqs(await firstLog.read(id, { since: 50, maxChars: 1 }))).toEqual([51]);
      expect(await firstLog.read('nobody')).toEqual([]);
    });

    test('long texts, many entries at once, and strings that look like our own marks come back as they were', async () => {
      const id = fresh();
      const titles = [
        'x'.repeat(700_000),
        '\0blob:abc',
        '\0',
        '\0\0blob:',
        'é'.repeat(90_000),
        '@x',
        '',
        'a\nb\u2028c',
      ];
      const bodies = [
        opened(),
        ...titles.map(titledEvent),
        ...range(1, 3000).map((n) => titledEvent(`${n} `.repeat(60))),
      ];
      await firstLog.append(id, bodies, { expected: 0 });
      expect((await other.read(id)).map(({ body }) => body)).toEqual(bodies);
      expect(await firstLog.prove(id, never)).toBeUndefined();
    });

    test('a subscriber hears what is there, then what comes, each once and in order', async () => {
      const id = fresh();
      await firstLog.append(id, [opened(), titledEvent('1')], { expected: 0 });
      const stop = new AbortController();
      const received: number[] = [];
      const following = (async () => {
        for await (const { seq } of other.subscribe(id, { since: 1, signal: stop.signal })) {
          received.push(seq);
          if (seq === 60) stop.abort();
        }
      })();
      for (let n = 2; n < 60; n++) await firstLog.append(id, [titledEvent(`${n}`)], { expected: n });
      await following;
      expect(received).toEqual(range(2, 60));
      const ended = other.subscribe(id, { since: 0, signal: AbortSignal.abort() });
      expect((await ended[Symbol.asyncIterator]().next()).done).toBe(true);
    });

    test('knows what is unfinished, what asks, what changed files, and where each session stands', async () => {
      const [log, reader] = [await store.open('index'), await store.open('index')];
      const before = await log.position();
      const [a, b] = ['a', 'b.b'];
      await log.append(a, [opened()], { expected: 0 });
      await log.append(b, [opened({ workspace: '/other' })], { expected: 0 });
      await log.append(a, [askedEvent(1), started(1), started(2)], { expected: 1 });
      await log.append(a, [finished(1, [{ path: 'x' }]), finished(3, [{ path: 'y' }]), started(4)], {
        expected: 4,
      });
      await log.append(b, [finished(9, [{ path: 'z' }])], { expected: 1 });
      await log.append(a, [finished(2), titledEvent('t'), finished(5, [{ path: 'x' }])], { expected: 7 });
      expect(await reader.unfinished('/wörk')).toEqual([{ session: a, callId: 'c4', head: 10 }]);
      const changed = await reader.changed('/wörk', 10);
      expect(changed.map(({ session, seq }) => [session, seq])).toEqual([
        [a, 10],
        [a, 6],
        [a, 5],
      ]);
      const at = changed.map((changedCall) => changedCall.at);
      expect(at).toEqual([...new Set(at)].sort((x, y) => y - x));
      expect(Math.min(...at)).toBeGreaterThan(before);
      expect(await reader.position()).toBeGreaterThanOrEqual(Math.max(...at));
      expect(await reader.changed('/wörk', 1, at[1])).toEqual([changed[2]]);
      expect(await reader.asking()).toEqual([a]);
      // Where the log records it: `a` has a running call, and one whose approval has ended.
      if (reader.withOpenCalls !== undefined) {
        expect(await reader.withOpenCalls()).toEqual([a]);
        await log.append('c', [opened(), askedEvent(6)], { expected: 0 });
        await log.append(a, [finished(4)], { expected: 10 });
        expect(await reader.withOpenCalls()).toEqual(['c']);
        await log.append('c', [finished(6)], { expected: 2 });
        expect(await reader.withOpenCalls()).toEqual([]);
        await log.delete('c');
      }
      const sessions = await reader.sessions();
      expect(new Map(sessions.map(({ id, head, workspace }) => [id, [head.seq, workspace]]))).toEqual(
        new Map([
          [a, [reader.withOpenCalls === undefined ? 10 : 11, '/wörk']],
          [b, [2, '/other']],
        ]),
      );
      const last = (await reader.read(a)).at(-1);
      expect(sessions.find(({ id }) => id === a)).toMatchObject({
        head: { hash: last?.hash },
        lastAt: last?.time,
      });
      await Promise.all([log.close(), reader.close()]);
    });

    test('a deleted session is gone for all; its name is free again, and nothing of the old one comes back', async () => {
      const [log, reader] = [await store.open('deletion'), await store.open('deletion')];
      await log.append('s', [opened(), titledEvent('long'.repeat(20_000)), started(1)], { expected: 0 });
      await expect(log.delete('s')).rejects.toMatchObject({ code: 'STALE' });
      await log.append('s', [finished(1, [{ path: 'x' }])], { expected: 3 });
      await log.append('fork', [opened({ forkedFrom: { session: 's', seq: 2 } })], { expected: 0 });
      await expect(log.delete('s')).rejects.toThrow('Delete that one first');
      await log.delete('fork');
      await reader.delete('s', { who: 'ann', via: 'test' });
      expect(await log.read('s')).toEqual([]);
      expect(await log.sessions()).toEqual([]);
      expect(await log.changed('/wörk', 5)).toEqual([]);
      await expect(log.append('s', [titledEvent('late')], { expected: 4 })).rejects.toMatchObject({
        code: 'LOG_CONFLICT',
      });
      await log.delete('s');
      await log.append('s', [opened({ title: 'new' })], { expected: 0 });
      await reader.append('s', [titledEvent('more')], { expected: 1 });
      expect((await log.read('s')).map(({ body }) => body)).toEqual([
        opened({ title: 'new' }),
        titledEvent('more'),
      ]);
      expect(await log.prove('s', never)).toBeUndefined();
      expect((await reader.sessions()).map(({ id }) => id)).toEqual(['s']);
      await Promise.all([log.close(), reader.close()]);
    });

    test('what was acknowledged survives a crash of the store, and who follows goes on', async () => {
      const id = fresh();
      const acknowledged = await firstLog.append(id, [opened()], { expected: 0, durable: true });
      const stop = new AbortController();
      const received: number[] = [];
      const following = (async () => {
        for await (const { seq } of other.subscribe(id, { since: 0, signal: stop.signal })) {
          received.push(seq);
          if (seq === 40) stop.abort();
        }
      })();
      let crash: Promise<void> | undefined;
      for (let n = 1; n < 40; n++) {
        if (n === 20) crash = store.crash();
        acknowledged.push(
          ...(await firstLog.append(id, [titledEvent(`${n}`)], { expected: n, durable: true })),
        );
      }
      await crash;
      await following;
      expect(received).toEqual(range(1, 40));
      expect(await other.read(id)).toEqual(acknowledged);
      expect(await other.prove(id, never)).toBeUndefined();
      expect((await other.sessions()).find((session) => session.id === id)?.head.seq).toBe(40);
    });
  });
