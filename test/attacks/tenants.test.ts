// Two people at one gateway, each with tokens of their own: neither takes back, brings again or sees what the other one changed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { signedTokens } from '../support/signed-tokens.ts';
import { workbench } from '../support/workbench.ts';

type Json = Record<string, unknown>;

const tokens = signedTokens();
afterAll(() => tokens[Symbol.dispose]());

async function asUser(bench: GatewayBench, user: string) {
  const token = tokens.sign(user, 600);
  const ask = async (path: string, body?: unknown): Promise<[number, Json]> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await bench.request(`/api/v1${path}`, { token, ...init });
    return [answer.status, (await answer.json()) as Json];
  };
  const [, { id }] = await ask('/sessions', {});
  const session = String(id);
  return {
    session,
    ask,
    /** Makes one call, and gives out its outcome and all that the log of the session says. */
    async call(tool: string, args: Json): Promise<string> {
      const [, answer] = await ask(`/sessions/${session}/calls`, { tool, args, approve: true });
      const [, log] = await ask(`/sessions/${session}/log`);
      return JSON.stringify([answer, log]);
    },
  };
}

describe('a second person at a gateway', () => {
  test('takes nothing back that is not theirs, and is told nothing of it', async () => {
    const files = { 'private-name.txt': 'before\n' };
    await using bench = await gatewayBench({ jwt: tokens.jwt, mode: 'trusted', files });
    const text = (): string => readFileSync(join(bench.root, 'private-name.txt'), 'utf8');
    const ann = await asUser(bench, 'ann');
    const bob = await asUser(bench, 'bob');
    await ann.call('write_file', { path: 'private-name.txt', content: 'after\n' });
    expect(text()).toBe('after\n');
    for (const args of [{}, { force: true }, { scope: 'workspace' }, { session: ann.session }]) {
      const answer = await bob.call('undo', args);
      expect(answer).toContain('There is nothing to undo here.');
      expect(answer).not.toMatch(/private-name|before|after/);
    }
    expect(text()).toBe('after\n');
    expect(await ann.call('undo', {})).toContain('private-name.txt');
    expect(text()).toBe('before\n');
    for (const args of [{}, { scope: 'workspace' }, { session: ann.session, force: true }]) {
      const answer = await bob.call('redo', args);
      expect(answer).toContain('There is nothing to redo here.');
      expect(answer).not.toMatch(/private-name|before|after/);
    }
    expect(text()).toBe('before\n');
    expect((await bob.ask(`/sessions/${ann.session}/undo`, {}))[0]).toBe(403);
    expect(await bob.ask('/trash')).toEqual([200, { entries: [] }]);
  });
});

test('undo in a session takes back only what that session did, also for a single user', async () => {
  await using bench = await workbench({ files: { 'a.txt': '0\n' }, mode: 'trusted' });
  await bench.call('write_file', { path: 'a.txt', content: '1\n' }, { session: 's1' });
  expect(await bench.call('undo', {}, { session: 's2' })).toMatchObject({
    error: { message: 'There is nothing to undo here.' },
  });
  const wide = await bench.call('undo', { scope: 'workspace' }, { session: 's2' });
  expect(wide).toMatchObject({ data: { taken_back: [{ session: 's1', paths: ['a.txt'] }] } });
});
