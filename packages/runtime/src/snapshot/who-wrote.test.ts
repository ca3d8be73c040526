import { expect, test } from 'vitest';
import type { Activity, ActivitySpan } from '../process/family/activity.ts';
import type { DiskKind, TreeEntry } from './tree-entry.ts';
import type { Tree } from './walk-tree.ts';
import { type Writer, whoWrote } from './who-wrote.ts';

// A run from 1000 to 2000: idle except for the start, a burst of writing, a time of computing, and the end.
const all = Number.POSITIVE_INFINITY;
const spans: ActivitySpan[] = [
  { from: 1001, to: 1050, did: 'something', bytes: all },
  { from: 1049, to: 1301, did: 'nothing', bytes: 0 },
  { from: 1301, to: 1351, did: 'something', bytes: 500 },
  { from: 1351, to: 1601, did: 'nothing', bytes: 0 },
  { from: 1601, to: 1701, did: 'something', bytes: 0 },
  { from: 1701, to: 1951, did: 'nothing', bytes: 0 },
  { from: 1951, to: 1999, did: 'something', bytes: all },
];
const [burst, pause, computing] = [1325.5, 1500.5, 1650.5];
const activity: Activity = { spans, isClockSteady: true, openInodes: new Set() };

const old: TreeEntry = {
  type: 'file',
  size: 100,
  mode: 0o644,
  ino: 1,
  mtimeMs: 500.5,
  ctimeMs: 500.5,
  bornMs: 400.5,
  diskBytes: 4096,
  device: 1,
};
const saved = (at: number, fields: Partial<TreeEntry> = {}): TreeEntry => ({
  ...old,
  mtimeMs: at,
  ctimeMs: at,
  ...fields,
});
const createdEntry = (at: number, fields: Partial<TreeEntry> = {}): TreeEntry =>
  saved(at, { ino: 2, bornMs: at, ...fields });
const folder = (at: number, fields: Partial<TreeEntry> = {}): TreeEntry =>
  createdEntry(at, { type: 'directory', ...fields });

type Case = {
  before?: TreeEntry;
  after?: TreeEntry;
  /** The other existing entries; the root is at ''. */
  around?: Record<string, TreeEntry>;
  path?: string;
  disk?: DiskKind;
  activity?: Activity | undefined;
  writes?: string[];
};

function judge({
  before,
  after,
  around = {},
  path = 'd/f',
  disk = 'counts',
  writes = [],
  ...more
}: Case): Writer {
  const { '': root = folder(900.5), ...others } = around;
  const tree = (entries: Record<string, TreeEntry>): Tree => ({
    entries: new Map(Object.entries(entries)),
    leftOut: new Map(),
    leftOutEntries: new Map(),
    repositories: new Map(),
    rules: new Map(),
  });
  const trees = {
    before: tree(before === undefined ? {} : { [path]: before }),
    after: tree({ ...others, ...(after !== undefined && { [path]: after }) }),
    root,
  };
  const known = 'activity' in more ? more.activity : activity;
  return whoWrote({ path, before, after }, { activity: known, writes }, trees, disk);
}

test.each<[string, Writer, Case]>([
  ['saved in a burst of writing', 'command', { before: old, after: saved(burst) }],
  ['saved in a pause', 'other', { before: old, after: saved(pause) }],
  ['saved before the start', 'other', { before: old, after: saved(950.5) }],
  ['saved after the end', 'other', { before: old, after: saved(2050.5) }],
  ['saved just before the clock of the disk ticked', 'command', { before: old, after: saved(1293.5) }],
  ['saved within a second that a coarse disk does not divide', 'command', { before: old, after: saved(0) }],
  ['saved while it computed', 'other', { before: old, after: saved(computing) }],
  [
    'saved while it computed, where maps are not counted',
    'uncertain',
    { before: old, after: saved(computing), disk: 'local' },
  ],
  ['emptied while it computed', 'command', { before: old, after: saved(computing, { size: 0 }) }],
  ['cut off while it computed', 'uncertain', { before: old, after: saved(computing, { size: 7 }) }],
  [
    'grown by more than it wrote',
    'other',
    { before: old, after: saved(burst, { size: 1200 }), activity: bounded() },
  ],
  ['made of as much as it wrote', 'command', { after: createdEntry(burst, { size: 500 }) }],
  ['made of more than it wrote', 'other', { after: createdEntry(burst, { size: 501 }) }],
  [
    'made of more than it wrote, but of holes',
    'command',
    { after: createdEntry(burst, { size: 5000, diskBytes: 400 }) },
  ],
  [
    'made of more than it wrote, by its name',
    'command',
    { after: createdEntry(burst, { size: 501 }), writes: ['d'] },
  ],
  [
    'made of more than it wrote, but seen open',
    'command',
    { after: createdEntry(burst, { size: 501 }), activity: { ...activity, openInodes: new Set([2]) } },
  ],
  [
    'an older file, added to and moved in a burst, of which it wrote only a part',
    'command',
    { after: saved(burst, { ino: 3, size: 1200 }), activity: bounded() },
  ],
  [
    'an older file, added to and moved in a pause',
    'other',
    { after: saved(pause, { ino: 3, size: 1200 }), activity: bounded() },
  ],
  ['made in a pause, though it is named', 'other', { after: createdEntry(pause), writes: ['d/f'] }],
  [
    'brought from elsewhere in a burst, with its old time',
    'command',
    { after: saved(burst, { ino: 3, mtimeMs: 7.5 }) },
  ],
  [
    'brought from elsewhere in a pause, with its old time',
    'other',
    { after: saved(pause, { ino: 3, mtimeMs: 7.5 }) },
  ],
  [
    'given a time of the future in a burst',
    'command',
    { before: old, after: saved(burst, { mtimeMs: 9e12 }) },
  ],
  [
    'a copy that was given the time of a pause',
    'command',
    { after: createdEntry(burst, { mtimeMs: 1200.5 }) },
  ],
  [
    'saved in a pause, then renamed in a burst',
    'uncertain',
    { after: saved(1200.5, { ino: 3, bornMs: 1200.5, ctimeMs: burst }), writes: ['d/f'] },
  ],
  [
    'written in a burst, then given a mode in a pause',
    'uncertain',
    { before: old, after: saved(burst, { mode: 0o600, ctimeMs: pause }) },
  ],
  [
    'written in a burst, then linked in a pause',
    'command',
    { before: old, after: saved(burst, { ctimeMs: pause }) },
  ],
  ['given a mode in a burst', 'command', { before: old, after: { ...old, mode: 0o600, ctimeMs: computing } }],
  ['given a mode in a pause', 'other', { before: old, after: { ...old, mode: 0o600, ctimeMs: pause } }],
  [
    'removed from a folder that was changed last in a burst',
    'command',
    { before: old, around: { d: folder(burst) } },
  ],
  [
    'removed from a folder that was changed last in a pause',
    'uncertain',
    { before: old, around: { d: folder(pause) } },
  ],
  ['removed so, and named', 'command', { before: old, around: { d: folder(pause) }, writes: ['d/f'] }],
  ['removed with its folder', 'command', { before: old, around: { '': folder(burst) } }],
  ['removed before the start', 'other', { before: old, around: { d: folder(950.5) } }],
  [
    'a folder made in a burst, in which something happened later',
    'command',
    { after: folder(pause, { bornMs: burst }) },
  ],
  [
    'a folder made in a pause, in which something happened later',
    'other',
    { after: folder(burst, { bornMs: pause }) },
  ],
  [
    'in a folder that was moved in a burst',
    'command',
    { after: { ...old, ino: 9 }, around: { d: folder(burst, { bornMs: 7.5 }) } },
  ],
  [
    'in a folder that was moved in a pause',
    'uncertain',
    { after: { ...old, ino: 9 }, around: { d: folder(pause, { bornMs: 7.5 }) } },
  ],
  [
    'when the clock went back',
    'uncertain',
    { before: old, after: saved(pause), activity: { ...activity, isClockSteady: false } },
  ],
  [
    'when the clock went back, by its name',
    'command',
    { before: old, after: saved(pause), activity: { ...activity, isClockSteady: false }, writes: ['d/f'] },
  ],
  ['when nothing is known', 'uncertain', { before: old, after: saved(burst), activity: undefined }],
  [
    'when processes could not be looked at',
    'uncertain',
    { before: old, after: saved(pause), activity: unreadable() },
  ],
  ['on a disk with another clock', 'uncertain', { before: old, after: saved(pause), disk: 'remote' }],
  [
    'on another disk that is mounted inside',
    'uncertain',
    { before: old, after: saved(pause, { device: 2 }) },
  ],
])('whose it is: %s', (_what, expected, sample) => {
  expect(judge(sample)).toBe(expected);
});

function bounded(): Activity {
  return { ...activity, spans: spans.map((span) => ({ ...span, bytes: Math.min(span.bytes, 500) })) };
}

function unreadable(): Activity {
  return { ...activity, spans: [{ from: 1000, to: 2000, did: 'unknown', bytes: all }] };
}
