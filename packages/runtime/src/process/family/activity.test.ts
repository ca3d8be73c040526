import { expect, test } from 'vitest';
import {
  type ActivitySpan,
  type Counters,
  halveSpans,
  type ProcessCounters,
  spanBetween,
} from './activity.ts';

const idle: Counters = { isRunning: false, ran: 100, io: { chars: 10, calls: 1, pageBytes: 4096 } };
const all = Number.POSITIVE_INFINITY;

function processes(...counters: (Partial<Counters> | undefined)[]): ProcessCounters {
  return new Map(counters.map((counter, i) => [i + 1, counter && { ...idle, ...counter }]));
}

const io = (chars: number, calls: number, pageBytes: number): Counters['io'] => ({ chars, calls, pageBytes });

test.each<[string, ProcessCounters, ProcessCounters, ReturnType<typeof spanBetween>]>([
  ['none moved', processes(idle, idle), processes(idle, idle), { did: 'nothing', bytes: 0 }],
  ['one was on a processor', processes(idle), processes({ ran: 101 }), { did: 'something', bytes: 0 }],
  ['one is on a processor', processes(idle), processes({ isRunning: true }), { did: 'something', bytes: 0 }],
  [
    'one was just on a processor',
    processes({ isRunning: true }),
    processes(idle),
    { did: 'something', bytes: 0 },
  ],
  ['one is new', processes(idle), processes(idle, { io: io(5, 1, 0) }), { did: 'something', bytes: 5 }],
  ['one has ended', processes(idle, idle), processes(idle), { did: 'something', bytes: all }],
  [
    'one wrote',
    processes(idle),
    processes({ ran: 101, io: io(60, 2, 8192) }),
    { did: 'something', bytes: 50 },
  ],
  [
    'one wrote by a map',
    processes(idle),
    processes({ io: io(10, 1, 8192) }),
    { did: 'something', bytes: 4096 },
  ],
  [
    'one hides what it writes',
    processes({ io: undefined }),
    processes({ io: undefined }),
    { did: 'something', bytes: all },
  ],
  ['one can’t be looked at', processes(idle, undefined), processes(idle), { did: 'unknown', bytes: all }],
])('between two looks: %s', (_what, before, after, expected) => {
  expect(spanBetween(before, after)).toEqual(expected);
});

test('many spans become half as many, which say as much together', () => {
  const spans: ActivitySpan[] = [
    { from: 0, to: 10, did: 'nothing', bytes: 0 },
    { from: 9, to: 20, did: 'something', bytes: 5 },
    { from: 19, to: 30, did: 'nothing', bytes: 0 },
    { from: 29, to: 40, did: 'unknown', bytes: all },
    { from: 39, to: 50, did: 'something', bytes: 7 },
  ];
  expect(halveSpans(spans)).toEqual([
    { from: 0, to: 20, did: 'something', bytes: 5 },
    { from: 19, to: 40, did: 'unknown', bytes: all },
    { from: 39, to: 50, did: 'something', bytes: 7 },
  ]);
});
