// Attacks on the audit record by somebody who can rewrite the state folder, and has not got the key.
import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditBench, opened, titledEvent } from '../support/audit-bench.ts';

test('an untouched record is proven whole, with the fingerprint of the key', async () => {
  using bench = await auditBench();
  const { key, entries, seals, not_proven } = bench.verify('--sealed').proof;
  expect({ entries, seals, not_proven }).toEqual({
    seals: 2,
    entries: { proven: 5, foreign: 0, unsealed: 0, before_sealing: 0 },
    not_proven: [],
  });
  expect(key).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  expect(bench.codelab('doctor').stdout).toContain(key);
});

test.each([
  ['rewrite', 's1', 3, 'was rewritten'],
  ['delete-session', 's1', 1, 'no signed deletion'],
  ['truncate', 's1', 3, 'is missing'],
  ['truncate-with-seals', '', 0, 'truncated, replaced or restored'],
  ['without-seals', '', 0, 'truncated, replaced or restored'],
  ['own-key', '', 0, 'truncated, replaced or restored'],
  ['own-tombstone', '', 0, 'signed with another key'],
  ['change-seal', '', 0, 'signature of seal 1'],
  ['remove-seal', '', 0, 'Seal 1 is missing'],
])('%s is found out, though every hash was recomputed', async (attack, session, seq, problem) => {
  using bench = await auditBench();
  bench.attack(attack);
  expect(bench.verify()).toMatchObject({
    code: 1,
    ok: false,
    session,
    seq,
    problem: expect.stringContaining(problem),
  });
});

test('a log that is set back to an older copy is found out, also after it was sealed again', async () => {
  using bench = await auditBench();
  cpSync(bench.home, `${bench.folder}/copy`, { recursive: true });
  await bench.record('s3', 0, [opened, titledEvent('decided')]);
  rmSync(bench.home, { recursive: true });
  cpSync(`${bench.folder}/copy`, bench.home, { recursive: true });
  expect(bench.verify()).toMatchObject({
    code: 1,
    problem: expect.stringContaining('restored from a backup'),
  });
  for (const n of [1, 2, 3]) await bench.record(`again${n}`, 0, [opened]);
  expect(bench.verify()).toMatchObject({
    code: 1,
    problem: expect.stringContaining('restored from a backup'),
  });
});

test('an older copy that a link leads to, in the place of the state folder, is found out', async () => {
  using bench = await auditBench();
  const older = `${bench.folder}/older`;
  cpSync(bench.home, older, { recursive: true });
  await bench.record('s3', 0, [opened, titledEvent('decided')]);
  rmSync(bench.home, { recursive: true });
  symlinkSync(older, bench.home);
  expect(bench.verify()).toMatchObject({
    code: 1,
    problem: expect.stringContaining('restored from a backup'),
  });
});

test('a state folder that was moved, with a link in its place, goes on as it was', async () => {
  using bench = await auditBench();
  renameSync(bench.home, `${bench.folder}/elsewhere`);
  symlinkSync(`${bench.folder}/elsewhere`, bench.home);
  await bench.record('s3', 0, [opened, titledEvent('decided')]);
  expect(bench.verify()).toMatchObject({ code: 0, ok: true });
});

test('a state folder that was removed and begun anew is found out, and the message says how to go on', async () => {
  using bench = await auditBench();
  rmSync(bench.home, { recursive: true });
  await bench.record('s1', 0, [opened]);
  const { advice } = bench.verify();
  const note = /remove (\S+\.json)/.exec(advice)?.[1] ?? '';
  rmSync(note);
  expect(bench.verify()).toMatchObject({ code: 0, ok: true });
});

test('a log without its table of seals is broken, and says so', async () => {
  using bench = await auditBench();
  bench.attack('drop-table');
  expect(bench.verify()).toMatchObject({ code: 1, problem: expect.stringContaining('no such table: seals') });
});

test('history that was rewritten before the next seal is found out after it', async () => {
  using bench = await auditBench();
  bench.attack('rewrite');
  await bench.record('s1', 3, [titledEvent('third')]);
  expect(bench.verify()).toMatchObject({ code: 1, session: 's1', seq: 3 });
});

test('a session that is proven by itself does not hide another that is gone', async () => {
  using bench = await auditBench();
  bench.attack('delete-session');
  expect(bench.verify('s2')).toMatchObject({ code: 0, ok: true });
  expect(bench.verify()).toMatchObject({ code: 1, session: 's1' });
});
