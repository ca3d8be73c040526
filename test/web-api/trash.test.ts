import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;

describe('the trash', () => {
  test('lists what was deleted and brings one thing back, not the whole call', async () => {
    await using web = await webBench({ files: { 'd/x.txt': 'x\n', 'd/y.txt': 'yy\n', 'z.txt': 'z\n' } });
    const session = await web.newSession();
    await web.call(session, 'delete_file', { path: 'd', recursive: true }, { id: 'd1' });
    await web.call(session, 'run_command', { command: 'rm z.txt' }, { id: 'd2' });
    const entries = async (who?: string): Promise<Json[]> =>
      (await web.ask('GET', '/trash', undefined, who)).body.entries as Json[];
    expect(await entries()).toMatchObject([
      { path: 'z.txt', files: 1, bytes: 2, session, call_id: 'd2' },
      { path: 'd', files: 2, bytes: 5, session, call_id: 'd1' },
    ]);
    expect(await entries('bob')).toEqual([]);
    expect(await entries('operator')).toHaveLength(2);
    const id = encodeURIComponent(String((await entries())[1]?.trash_id));
    const stranger = await web.ask('POST', `/trash/${id}/restore`, {}, 'bob');
    expect([stranger.status, existsSync(join(web.root, 'd'))]).toEqual([404, false]);
    expect((await web.ask('POST', `/trash/${id}/restore`)).body).toMatchObject({ path: 'd', restored: true });
    expect(readFileSync(join(web.root, 'd/y.txt'), 'utf8')).toBe('yy\n');
    expect(await entries()).toMatchObject([{ path: 'z.txt' }]);
    expect((await web.ask('POST', `/trash/${id}/restore`)).status).toBe(404);
  });

  test('never writes over what stands there now', async () => {
    await using web = await webBench({ files: { 'a.txt': 'old\n' } });
    const session = await web.newSession();
    await web.call(session, 'delete_file', { path: 'a.txt' });
    writeFileSync(join(web.root, 'a.txt'), 'mine\n');
    const [entry] = (await web.ask('GET', '/trash')).body.entries as Json[];
    const id = encodeURIComponent(String(entry?.trash_id));
    const { status, body } = await web.ask('POST', `/trash/${id}/restore`);
    expect([status, (body.error as Json).code]).toEqual([409, 'STALE']);
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  test('one file of a folder that is gone says what is in the way, or comes back with it', async () => {
    await using web = await webBench({ files: { 'd/x.txt': 'x\n', 'd/y.txt': 'y\n' } });
    const session = await web.newSession();
    await web.call(session, 'run_command', { command: 'rm -r d' }, { id: 'd1' });
    const entries = (await web.ask('GET', '/trash')).body.entries as Json[];
    expect(entries.map(({ path }) => path).sort()).toEqual(['d/x.txt', 'd/y.txt']);
    const id = encodeURIComponent(String(entries.find(({ path }) => path === 'd/x.txt')?.trash_id));
    const { status, body } = await web.ask('POST', `/trash/${id}/restore`);
    expect([status, body]).toEqual([200, expect.objectContaining({ restored: true })]);
    expect(readFileSync(join(web.root, 'd/x.txt'), 'utf8')).toBe('x\n');
    expect(web.http.faults).toEqual([]);
  });

  test.each(['..%2F..%2Fsessions.db', '1-a%2F..', '%2Fetc%2Fpasswd', '..', 'x'.repeat(400), '%00'])(
    'no path is taken for an id: %s',
    async (id) => {
      await using web = await webBench({ files: { 'a.txt': 'old\n' } });
      const session = await web.newSession();
      await web.call(session, 'delete_file', { path: 'a.txt' });
      const { status } = await web.ask('POST', `/trash/${id}/restore`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(web.http.faults).toEqual([]);
    },
  );
});
