// Seals: when they are made, by whom they count, and what is said where nothing can be signed.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { type AuditBench, auditBench, ended, opened, titledEvent } from '../support/audit-bench.ts';
import { expectExit, logScript } from '../support/in-child.ts';
import { makeOlder } from '../support/older-log.ts';

function sealsOf({ file }: AuditBench): { n: number; text: string }[] {
  using db = new DatabaseSync(file);
  return db.prepare('SELECT n, text FROM seals ORDER BY n').all() as { n: number; text: string }[];
}

describe('a seal is made', () => {
  test('at the end of a turn, while the process goes on', async () => {
    using bench = await auditBench();
    const log = bench.open();
    await log.append('s3', [opened, titledEvent('x')], { expected: 0 });
    expect(sealsOf(bench)).toHaveLength(2);
    await log.append('s3', [ended], { expected: 2 });
    await expect.poll(() => sealsOf(bench).length).toBe(3);
    expect(JSON.parse(sealsOf(bench)[2]?.text ?? '').heads).toMatchObject([{ session: 's3', seq: 3 }]);
    await log.close();
    expect(sealsOf(bench)).toHaveLength(3);
  });

  test('by a command that ends, but not by each of many in a row', async () => {
    using bench = await auditBench();
    writeFileSync(join(bench.folder, 'a.txt'), 'a\n');
    rmSync(bench.home, { recursive: true });
    rmSync(bench.keys, { recursive: true });
    mkdirSync(join(bench.folder, 'work'));
    for (const _ of [1, 2, 3]) bench.codelab('tool', 'list_files', '{"path":"."}', '--workspace', 'work');
    const { code, proof } = bench.verify();
    expect([code, proof.seals]).toEqual([0, 1]);
    expect(proof.entries.unsealed).toBeGreaterThan(0);
    expect(proof.not_proven).toEqual([expect.stringContaining('newer than the last seal')]);
    expect(bench.verify('--sealed').code).toBe(1);
  });

  test('not by one who only reads', async () => {
    using bench = await auditBench();
    bench.codelab('audit', 'show');
    bench.codelab('sessions', 'list');
    expect(sealsOf(bench)).toHaveLength(2);
  });

  test('by several processes at once, each on top of the other', async () => {
    using bench = await auditBench();
    const env = { ...process.env, CODELAB_KEYS: bench.keys };
    const eventsJson = JSON.stringify([titledEvent('x'), ended]);
    const body = (session: string): string => `
      for (let n = 0; n < 20; n++) {
        await log.append('${session}', ${eventsJson}, { expected: 2 * n });
        await new Promise(setImmediate);
      }
      await log.close();`;
    await Promise.all(
      ['p1', 'p2', 'p3'].map((session) =>
        expectExit(spawn(process.execPath, logScript(bench.home, body(session)), { env, stdio: 'inherit' })),
      ),
    );
    expect(sealsOf(bench).length).toBeGreaterThan(3);
    expect(bench.verify('--sealed')).toMatchObject({ code: 0, proof: { entries: { proven: 5 + 120 } } });
  });
});

describe('a deletion', () => {
  test('leaves a signed tombstone that says who, when and what', async () => {
    using bench = await auditBench();
    expect(bench.codelab('sessions', 'delete', 's1').code).toBe(0);
    expect(bench.verify('--sealed')).toMatchObject({ code: 0, sessions: 1, proof: { deletions: 1 } });
    expect(JSON.parse(sealsOf(bench).at(-1)?.text ?? '').deleted).toEqual([
      {
        session: 's1',
        entries: 3,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        who: expect.any(String),
        via: 'codelab',
        time: expect.any(Number),
      },
    ]);
  });

  test('names who asked for it', async () => {
    using bench = await auditBench();
    const log = bench.open();
    await log.delete('s1', { who: 'alice', via: 'web' });
    await log.close();
    expect(JSON.parse(sealsOf(bench).at(-1)?.text ?? '').deleted).toMatchObject([
      { who: 'alice', via: 'web' },
    ]);
  });

  test('of entries that were not sealed yet is one as well, and the name may be used again', async () => {
    using bench = await auditBench();
    const log = bench.open();
    await log.append('s1', [titledEvent('third')], { expected: 3 });
    await log.delete('s1');
    await log.append('s1', [opened], { expected: 0 });
    await log.close();
    expect(bench.verify('--sealed')).toMatchObject({ code: 0, sessions: 2 });
    bench.attack('delete-session');
    expect(bench.verify()).toMatchObject({ code: 1, session: 's1' });
  });

  test('is refused where it could not be signed, as long as the log is sealed', async () => {
    using bench = await auditBench();
    chmodSync(join(bench.keys, 'audit-ed25519.json'), 0o644);
    const { code, stderr } = bench.codelab('sessions', 'delete', 's1');
    expect([code, stderr]).toEqual([1, expect.stringContaining('chmod 600')]);
    expect(bench.codelab('sessions', 'list', '--all').stdout).toContain('s1');
  });
});

describe('the key', () => {
  test('and its folder are the user’s alone', async () => {
    using bench = await auditBench();
    expect(statSync(bench.keys).mode & 0o777).toBe(0o700);
    expect(statSync(join(bench.keys, 'audit-ed25519.json')).mode & 0o777).toBe(0o600);
  });

  test.each<[string, (file: string, keys: string) => void, string]>([
    ['others can read', (file) => chmodSync(file, 0o640), 'chmod 600'],
    [
      'is a link',
      (file) => {
        renameSync(file, `${file}.real`);
        symlinkSync(`${file}.real`, file);
      },
      'can’t be used',
    ],
    ['is no key', (file) => writeFileSync(file, '{"kty":"OKP"}'), 'can’t be used'],
    ['is in a folder where others can write', (_, keys) => chmodSync(keys, 0o777), 'chmod 700'],
  ])('that %s is not used, and doctor and verify say so', async (_name, spoil, advice) => {
    using bench = await auditBench();
    spoil(join(bench.keys, 'audit-ed25519.json'), bench.keys);
    const quotedAdvice = advice.replace('’', "'");
    const log = bench.open();
    await log.append('s2', [titledEvent('more')], { expected: 2 });
    await log.close();
    expect(bench.codelab('doctor').stdout).toContain(quotedAdvice);
    const { code, proof } = bench.verify();
    expect([code, proof.entries.proven, proof.entries.unsealed]).toEqual([0, 0, 1]);
    expect(proof.not_proven.join()).toContain(quotedAdvice);
  });

  test('that can’t be kept anywhere leaves the record unsigned, and everything else works', async () => {
    using bench = await auditBench();
    rmSync(bench.home, { recursive: true });
    const problems: string[] = [];
    const log = bench.open({ keys: '/proc/codelab', onProblem: (text) => problems.push(text) });
    await log.append('s1', [opened, ended], { expected: 0 });
    await log.delete('s1');
    await log.append('s1', [opened], { expected: 0 });
    expect(log.audit()).toMatchObject({
      proof: { key: null, seals: 0, not_proven: [expect.stringContaining('Nothing is sealed')] },
    });
    await log.close();
    expect(problems).toEqual([expect.stringContaining('CODELAB_KEYS')]);
  });

  test('is not kept in the state folder', async () => {
    using bench = await auditBench();
    const problems: string[] = [];
    const keys = join(bench.home, 'keys');
    const log = bench.open({ keys, onProblem: (text) => problems.push(text) });
    await log.append('s2', [ended], { expected: 2 });
    await log.close();
    expect(problems).toEqual([expect.stringContaining('lies in the state folder')]);
    expect(sealsOf(bench)).toHaveLength(2);
  });

  test('of another machine counts once its fingerprint is trusted', async () => {
    using bench = await auditBench();
    const other = join(bench.folder, 'other');
    const log = bench.open({ keys: other });
    await log.append('s2', [titledEvent('elsewhere')], { expected: 2 });
    await log.close();
    const { code, problem } = bench.verify();
    expect([code, problem]).toEqual([1, expect.stringContaining('Seal 3 was signed with another key')]);
    const [fingerprint = ''] = /SHA256:[A-Za-z0-9+/]+/.exec(problem) ?? [];
    writeFileSync(join(bench.keys, 'audit-trusted.json'), JSON.stringify([fingerprint]));
    expect(bench.verify('--sealed')).toMatchObject({ code: 0, proof: { entries: { proven: 6 } } });
  });

  test('that was lost leaves what it signed unproven, and the next one goes on from there', async () => {
    using bench = await auditBench();
    rmSync(bench.keys, { recursive: true });
    expect(bench.verify().proof).toMatchObject({ key: null, entries: { proven: 0, foreign: 5 } });
    await bench.record('s2', 2, [titledEvent('more')]);
    expect(bench.verify()).toMatchObject({ code: 0, proof: { entries: { proven: 3, foreign: 3 } } });
  });
});

test('a log of the format before is sealed with the next entry, and says what is older than that', async () => {
  using bench = await auditBench();
  makeOlder(bench.file, 3, bench.keys);
  expect(bench.verify()).toMatchObject({
    code: 0,
    entries: 5,
    proof: { seals: 0, not_proven: [expect.stringContaining('Nothing is sealed')] },
  });
  await bench.record('s2', 2, [titledEvent('more')]);
  const { code, proof } = bench.verify('--sealed');
  expect([code, proof.entries]).toEqual([0, { proven: 6, foreign: 0, unsealed: 0, before_sealing: 5 }]);
  expect(proof.not_proven).toEqual([expect.stringContaining('5 entries are older than the first seal')]);
});
