import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallModel } from '../../session/session-model.ts';
import { filterRows, noFilter } from './audit-filters.tsx';
import { auditRows } from './audit-rows.ts';
import {
  fitWindow,
  timelineMove,
  timeScale,
  wholeWindow,
  windowWith,
  zoomWindow,
} from './timeline/time-scale.ts';
import { packLanes, thinOut } from './timeline/timeline-bars.tsx';

const call: CallModel = {
  id: 'c1',
  seq: 4,
  call: { id: 'c1', session: 's', tool: 'edit_file', args: { path: 'a.txt' }, dialect: 'codelab' },
  state: 'completed',
  receivedAt: 100,
  askedBy: { who: 'eve', via: 'websocket' },
  startedAt: 400,
  finishedAt: 450,
  approval: { requestedAt: 120 } as NonNullable<CallModel['approval']>,
  decidedAt: 390,
  decidedBy: { who: 'ann', via: 'web' },
  inner: [],
};

describe('rows of the audit', () => {
  test('tell waiting from running, and who decided', () => {
    expect(auditRows([call], 1000)).toEqual([
      {
        id: 'c1',
        seq: 4,
        tool: 'edit_file',
        title: 'edit_file a.txt',
        outcome: 'completed',
        start: 100,
        end: 450,
        wait: { from: 120, to: 390 },
        run: { from: 400, to: 450 },
        askedBy: 'eve',
        askedVia: 'websocket',
        who: 'ann',
        via: 'web',
      },
    ]);
  });

  test('what is not over yet lasts until now', () => {
    const { startedAt: _s, finishedAt: _f, decidedAt: _d, decidedBy: _b, ...open } = call;
    expect(auditRows([{ ...open, state: 'awaiting_approval' }], 1000)).toMatchObject([
      { outcome: 'waiting', end: 1000, wait: { from: 120, to: 1000 }, run: undefined, who: '' },
    ]);
  });

  test('are found by tool, outcome, person and words', () => {
    const other = { ...call, id: 'c2', call: { ...call.call, id: 'c2', tool: 'run_command' } };
    const rows = auditRows(
      [call, { ...other, state: 'failed', decidedBy: { who: 'bob', via: 'cli' } }],
      1000,
    );
    const found = (filter: object): string[] =>
      filterRows(rows, { ...noFilter, ...filter }).map(({ id }) => id);
    expect(found({})).toEqual(['c1', 'c2']);
    expect(found({ tool: 'run_command' })).toEqual(['c2']);
    expect(found({ outcome: 'completed' })).toEqual(['c1']);
    expect(found({ who: 'bob' })).toEqual(['c2']);
    expect(found({ text: 'EDIT a.txt' })).toEqual(['c1']);
    expect(found({ text: 'edit', who: 'bob' })).toEqual([]);
  });
});

const spans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 100_000 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((pairs) => pairs.map(([from, length]) => ({ from, to: from + length })));

describe('the scale of time', () => {
  test('keeps the order, and leads back to the same time', () => {
    fc.assert(
      fc.property(spans, (intervals) => {
        const scale = timeScale(intervals);
        const times = intervals.flatMap(({ from, to }) => [from, to]).toSorted((a, b) => a - b);
        const places = times.map(scale.placeOf);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const [at, place] of places.entries()) {
          expect(place).toBeLessThanOrEqual(scale.total);
          expect(scale.timeAt(place)).toBeCloseTo(times[at] ?? 0, 3);
        }
      }),
    );
  });

  test('shortens long pauses and says how long they were', () => {
    const scale = timeScale([
      { from: 0, to: 1000 },
      { from: 3_601_000, to: 3_602_000 },
    ]);
    expect(scale.total).toBe(3000);
    expect(scale.pauses).toEqual([{ place: 1500, length: 3_600_000 }]);
  });
});

describe('the window', () => {
  test('stays inside the whole however it is moved', () => {
    const share = fc.double({ min: -2, max: 3, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.double({ min: 0.01, max: 100, noNaN: true }), (from, to, factor) => {
        const zoomed = zoomWindow(fitWindow({ from, to }), factor);
        expect(zoomed.from).toBeGreaterThanOrEqual(0);
        expect(zoomed.to).toBeLessThanOrEqual(1 + 1e-9);
        expect(zoomed.to).toBeGreaterThan(zoomed.from);
      }),
    );
  });

  test('moves to what is outside of it', () => {
    expect(windowWith({ from: 0.25, to: 0.5 }, 0.4)).toEqual({ from: 0.25, to: 0.5 });
    expect(windowWith({ from: 0, to: 0.25 }, 1)).toEqual({ from: 0.75, to: 1 });
  });
});

test('bars of one lane never overlap, unless there are too many', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1000), fc.nat(80)), { maxLength: 40 }), (pairs) => {
      const pieces = pairs
        .map(([from, long], item) => ({ item, from, to: from + long }))
        .toSorted((a, b) => a.from - b.from);
      const { bars, lanes } = packLanes(pieces, 1000);
      expect(Math.max(0, ...bars.map(({ lane }) => lane + 1))).toBe(lanes);
      for (const bar of bars)
        for (const other of bars)
          if (bar.item < other.item && bar.lane === other.lane)
            expect(bar.to <= other.from || other.to <= bar.from).toBe(true);
      expect(packLanes(pieces, 2).lanes).toBeLessThanOrEqual(2);
    }),
  );
});

test('of a thousand short bars at one place one is drawn, and the one that is wanted', () => {
  const short = Array.from({ length: 1000 }, (_, at) => ({ at, from: 10 + at / 10_000, to: 14 }));
  const long = { at: -1, from: 10.5, to: 300 };
  const drawn = thinOut([...short, long], 4, ({ at }) => at === 700);
  expect(drawn.map(({ at }) => at)).toEqual([0, 700, -1]);
  expect(thinOut(short.slice(0, 100), 4, () => false)).toHaveLength(100);
});

describe('a key in the picture', () => {
  test('comes closer, and never leaves the call behind that the keyboard is on', () => {
    for (const place of [0, 0.1, 0.5, 0.9, 1]) {
      let shown = wholeWindow;
      for (let i = 0; i < 8; i++) {
        const move = timelineMove('+', { at: 1, last: 2, shown, place });
        if (move === undefined || !('show' in move)) throw new Error('a plus comes closer');
        expect(move.show.to - move.show.from).toBeCloseTo((shown.to - shown.from) / 2);
        shown = move.show;
        expect(shown.from).toBeLessThanOrEqual(place);
        expect(shown.to).toBeGreaterThanOrEqual(place);
      }
    }
  });
});
