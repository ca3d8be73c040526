// The laws of seals, for every store a session log can be in: when one is made, by whom it counts, what deletion leaves, what anchors get.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredLog } from '../../apps/server/src/log/open-log.ts';
import { ended, opened, titledEvent } from '../support/audit-bench.ts';
import { type LogStore, logStores } from '../support/log-stores.ts';

const folder = mkdtempSync(join(tmpdir(), 'codelab-sealed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of `audit verify`, with and without `--sealed`. */
async function verify(log: StoredLog, session?: string) {
  const { damage, proof } = await log.audit(session);
  const { proven = 0, foreign = 0, unsealed = 0 } = proof?.entries ?? {};
  return { problem: damage?.problem, proven, foreign, unsealed, seals: proof?.seals ?? 0, proof };
}

async function exported(log: StoredLog): Promise<string[]> {
  const ids = (await log.sessions()).map(({ id }) => id);
  const lines: string[] = [];
  for await (const line of log.exportLines(ids, { seals: true })) lines.push(line);
  return lines;
}

for (const [name, { isMissing, start }] of Object.entries(logStores))
  describe.skipIf(isMissing)(`seals of a session log in ${name}`, () => {
    let store: LogStore;
    let count = 0;
    beforeAll(async () => {
      store = await start();
    });
    afterAll(async () => {
      await store?.[Symbol.asyncDispose]();
    });
    /** A log of its own, with a folder of keys. */
    const fresh = (): { at: string; keys: string } => {
      const at = `sealed${++count}`;
      return { at, keys: join(folder, `${name.replaceAll(' ', '-')}-${at}`) };
    };

    test('are made at the end of a turn and at the end of the process, and prove every entry', async () => {
      const { at, keys } = fresh();
      const log = await store.openSealed(at, { keys });
      await log.append('s1', [opened, titledEvent('x'), ended], { expected: 0 });
      await expect.poll(async () => (await verify(log)).proven, { timeout: 10_000 }).toBe(3);
      await log.append('s2', [opened], { expected: 0 });
      expect(await verify(log)).toMatchObject({ proven: 3, unsealed: 1, seals: 1 });
      await log.close();
      const reopened = await store.openSealed(at, { keys });
      expect(await verify(reopened)).toMatchObject({ problem: undefined, proven: 4, unsealed: 0, seals: 2 });
      expect(await verify(reopened, 's1')).toMatchObject({ problem: undefined, proven: 3, unsealed: 0 });
      await reopened.close();
      const third = await store.openSealed(at, { keys });
      expect((await verify(third)).seals).toBe(2);
      await third.close();
    });

    test('say what is older than the first of them', async () => {
      const { at, keys } = fresh();
      const unsealing = await store.openSealed(at, { keys: '/proc/codelab' });
      await unsealing.append('s', [opened, titledEvent('old')], { expected: 0 });
      await unsealing.close();
      const log = await store.openSealed(at, { keys });
      expect((await verify(log)).proof?.not_proven).toEqual([expect.stringContaining('Nothing is sealed')]);
      await log.append('s', [titledEvent('new')], { expected: 2 });
      await log.close();
      const reader = await store.openSealed(at, { keys });
      expect((await verify(reader)).proof?.entries).toMatchObject({ proven: 3, before_sealing: 2 });
      await reader.close();
    });

    test('are made by several at once, each on top of the other', async () => {
      const { at, keys } = fresh();
      const logs = await Promise.all([1, 2, 3].map(() => store.openSealed(at, { keys })));
      await Promise.all(
        logs.map(async (log, i) => {
          for (let n = 0; n < 5; n++)
            await log.append(`p${i}`, [titledEvent('x'), ended], { expected: 2 * n });
          await log.close();
        }),
      );
      const reader = await store.openSealed(at, { keys });
      const found = await verify(reader);
      expect(found).toMatchObject({ problem: undefined, proven: 30, unsealed: 0 });
      await reader.close();
    });

    test('have a tombstone of a session that was deleted, and its name may be used again', async () => {
      const { at, keys } = fresh();
      const log = await store.openSealed(at, { keys });
      await log.append('s', [opened, titledEvent('x')], { expected: 0 });
      await log.delete('s', { who: 'ann', via: 'test' });
      expect(await verify(log)).toMatchObject({ problem: undefined, proof: { deletions: 1 } });
      await log.append('s', [opened, ended], { expected: 0 });
      await log.close();
      const reader = await store.openSealed(at, { keys });
      expect(await verify(reader)).toMatchObject({ problem: undefined, proven: 2, unsealed: 0 });
      expect((await exported(reader)).join('')).toContain('\\"who\\":\\"ann\\"');
      chmodSync(join(keys, 'audit-ed25519.json'), 0o644);
      await reader.close();
      const unable = await store.openSealed(at, { keys });
      await expect(unable.delete('s')).rejects.toThrow('chmod 600');
      expect(await unable.read('s')).toHaveLength(2);
      await unable.close();
    });

    test('of another key count once its fingerprint is trusted', async () => {
      const { at, keys } = fresh();
      const other = `${keys}-other`;
      for (const [i, folder] of [keys, other].entries()) {
        const log = await store.openSealed(at, { keys: folder });
        await log.append('s', [titledEvent('x')], { expected: i });
        await log.close();
      }
      const log = await store.openSealed(at, { keys });
      const { problem = '' } = await verify(log);
      expect(problem).toContain('Seal 2 was signed with another key');
      const [fingerprint = ''] = /SHA256:[A-Za-z0-9+/]+/.exec(problem) ?? [];
      writeFileSync(join(keys, 'audit-trusted.json'), JSON.stringify([fingerprint]));
      expect(await verify(log)).toMatchObject({ problem: undefined, proven: 2 });
      await log.close();
    });

    test('are told to anchors, which are compared, and an export is verified without this program', async () => {
      const { at, keys } = fresh();
      const file = `${keys}.anchor`;
      const log = await store.openSealed(at, { keys, anchors: [{ file }] });
      await log.append('s', [opened, titledEvent('x'.repeat(50_000))], { expected: 0 });
      await log.close();
      const reader = await store.openSealed(at, { keys, anchors: [{ file }] });
      expect(await reader.anchors()).toMatchObject([{ status: 'matches', seal: 1 }]);
      const record = `${keys}.jsonl`;
      writeFileSync(record, (await exported(reader)).join(''));
      const script = join(import.meta.dirname, '../../docs/verify-export.py');
      const key = (await verify(reader)).proof?.key ?? '';
      const ran = spawnSync('python3', [script, '--key', key, record], { encoding: 'utf8' });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      const forged = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), n: 7 });
      writeFileSync(file, `${forged}\n`, { flag: 'a' });
      expect(await reader.anchors()).toMatchObject([{ status: 'differs' }]);
      await reader.close();
      expect(existsSync(keys)).toBe(true);
    });
  });
