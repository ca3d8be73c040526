import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { webBench } from '../support/web-bench.ts';

type Json = Record<string, unknown>;

const code = ({ body }: { body: Json }): unknown => (body.error as Json | undefined)?.code;

const rule = { id: 'no-docs', effect: 'deny', reason: 'Nobody touches these.', path: 'docs/**' };

describe('rules', () => {
  test('are kept, hold at once, replace each other by id, and are forgotten at once', async () => {
    await using web = await webBench();
    const verdict = async (): Promise<unknown> => {
      const request = { tool: 'write_file', args: { path: 'docs/a.md', content: '' } };
      return (await web.ask('POST', '/policy/check', request, 'operator')).body.verdict;
    };
    expect(await verdict()).toBe('ask');
    const added = await web.ask('POST', '/policy/rules', { rule, scope: 'workspace' }, 'operator');
    // The phrases for other languages accompany the texts.
    const phrases = {
      reason: [{ key: 'text', params: { text: rule.reason } }],
      text: [{ key: 'about.path', params: { values: rule.path } }],
    };
    expect([added.status, added.body.rule]).toEqual([
      201,
      { layer: 'workspace', ...rule, text: 'path docs/**', phrases, removable: true },
    ]);
    expect(await verdict()).toBe('deny');
    await web.ask('POST', '/policy/rules', { rule: { ...rule, effect: 'allow' } }, 'operator');
    expect(await verdict()).toBe('allow');
    const storedRules = JSON.parse(readFileSync(join(web.http.bench.home, 'rules.json'), 'utf8')) as Json;
    expect(storedRules).toMatchObject({ workspaces: { [web.root]: [{ id: 'no-docs', effect: 'allow' }] } });
    const deleted = await web.ask('DELETE', '/policy/rules/no-docs', undefined, 'operator');
    expect(deleted.body).toEqual({ scope: 'workspace', id: 'no-docs' });
    expect(await verdict()).toBe('ask');
    expect((await web.ask('DELETE', '/policy/rules/no-docs', undefined, 'operator')).status).toBe(404);
  });

  test('that are kept at the same time are all kept', async () => {
    await using web = await webBench();
    const ids = Array.from({ length: 8 }, (_, i) => `r${i}`);
    await Promise.all(
      ids.map((id) => web.ask('POST', '/policy/rules', { rule: { ...rule, id } }, 'operator')),
    );
    const storedRules = JSON.parse(readFileSync(join(web.http.bench.home, 'rules.json'), 'utf8')) as {
      workspaces: Record<string, Json[]>;
    };
    expect(storedRules.workspaces[web.root]?.map(({ id }) => id).sort()).toEqual(ids);
  });

  test('of a configuration or built in are not forgotten, and an untrusted workspace only tightens', async () => {
    const rules = [
      { id: 'free', effect: 'allow', reason: 'All is free.', tool: '*' },
      { id: 'tight', effect: 'deny', reason: 'Not here.', path: 'x/**' },
    ];
    const config = JSON.stringify({ policy: { rules } });
    await using web = await webBench({ files: { '.codelab/config.json': config } });
    const { body } = await web.ask('GET', '/policy', undefined, 'operator');
    expect(body.workspace_config).toBe('untrusted');
    const rulesList = body.rules as Json[];
    expect(rulesList.filter(({ layer }) => layer === 'workspace')).toMatchObject([
      { id: 'tight', removable: false },
    ]);
    for (const id of ['tight', String(rulesList[0]?.id)])
      expect((await web.ask('DELETE', `/policy/rules/${id}`, undefined, 'operator')).status).toBe(400);
    await web.ask('POST', '/policy/rules', { rule: { ...rule, id: 'tight', effect: 'allow' } }, 'operator');
    await web.ask('DELETE', '/policy/rules/tight', undefined, 'operator');
    const request = { tool: 'write_file', args: { path: 'x/a', content: '' } };
    expect((await web.ask('POST', '/policy/check', request)).body).toMatchObject({
      verdict: 'deny',
      rule: 'tight',
    });
  });

  test('beyond one session are the operator’s; those of a session its owner’s', async () => {
    await using web = await webBench();
    const session = await web.newSession();
    await web.ask('POST', '/policy/rules', { rule, scope: 'user' }, 'operator');
    for (const scope of ['user', 'workspace'])
      expect(code(await web.ask('POST', '/policy/rules', { rule, scope }))).toBe('PERMISSION_DENIED');
    expect(code(await web.ask('DELETE', '/policy/rules/no-docs'))).toBe('PERMISSION_DENIED');
    const layers = (body: Json): unknown[] => (body.rules as Json[]).map(({ layer }) => layer);
    expect(layers((await web.ask('GET', '/policy')).body)).not.toContain('user');
    expect(layers((await web.ask('GET', '/policy', undefined, 'operator')).body)).toContain('user');
    const sessionRule = { rule: { ...rule, id: 'own' }, scope: 'session', session_id: session };
    expect(code(await web.ask('POST', '/policy/rules', sessionRule, 'bob'))).toBe('PERMISSION_DENIED');
    expect((await web.ask('POST', '/policy/rules', sessionRule)).status).toBe(201);
    const request = { tool: 'write_file', args: { path: 'docs/a.md', content: '' }, session_id: session };
    expect((await web.ask('POST', '/policy/check', request)).body.verdict).toBe('deny');
    expect((await web.ask('POST', '/policy/check', request, 'bob')).status).toBe(403);
    expect(code(await web.ask('POST', '/policy/rules', { rule, scope: 'session' }))).toBe(
      'INVALID_ARGUMENTS',
    );
  });

  test('that lie about their examples, or are no rules, are refused', async () => {
    await using web = await webBench();
    const lying = { ...rule, matches: [{ path: 'src/a.ts' }] };
    for (const bad of [
      lying,
      { ...rule, id: 'NO' },
      { ...rule, effect: 'maybe' },
      { ...rule, extra: 1 },
      'x',
    ])
      expect(code(await web.ask('POST', '/policy/rules', { rule: bad }, 'operator'))).toBe(
        'INVALID_ARGUMENTS',
      );
    expect((await web.ask('GET', '/policy', undefined, 'operator')).body.rules).not.toContainEqual(
      expect.objectContaining({ layer: 'workspace' }),
    );
  });
});

describe('the tester', () => {
  test('judges a command line part by part and runs nothing', async () => {
    await using web = await webBench({ files: { 'a.txt': '1\n' }, mode: 'balanced' });
    const { body } = await web.ask('POST', '/policy/check', { command: 'cat a.txt && rm -rf a.txt' });
    expect(body).toMatchObject({
      verdict: 'ask',
      parts: [{ text: 'cat a.txt', verdict: 'allow' }, { verdict: 'ask' }],
    });
    expect(readFileSync(join(web.root, 'a.txt'), 'utf8')).toBe('1\n');
  });

  test('tells nothing of a protected file', async () => {
    await using web = await webBench({ files: { '.env': 'KEY=secret-value\n' } });
    const request = { tool: 'write_file', args: { path: '.env', content: 'KEY=\n' } };
    expect(JSON.stringify((await web.ask('POST', '/policy/check', request)).body)).not.toContain(
      'secret-value',
    );
  });

  test.each([{}, { tool: 'x', command: 'ls' }, { tool: 'nothing' }, { command: '' }, { args: {} }])(
    'refuses %j',
    async (request) => {
      await using web = await webBench();
      const { status } = await web.ask('POST', '/policy/check', request);
      expect([400, 404]).toContain(status);
      expect(web.http.faults).toEqual([]);
    },
  );
});

test('instructions of the workspace are followed once the operator says so, and not before', async () => {
  await using bench = await gatewayBench();
  const settings = async (): Promise<Json> =>
    (await (await bench.request('/api/v1/settings')).json()) as Json;
  const answer = async (trust: string | null): Promise<unknown> => {
    const body = JSON.stringify({ instruction_trust: trust });
    return ((await (await bench.request('/api/v1/settings', { method: 'PUT', body })).json()) as Json)
      .instructions;
  };
  expect((await settings()).instructions).toBeUndefined();
  writeFileSync(join(bench.root, 'AGENTS.md'), 'Use tabs.\n');
  expect((await settings()).instructions).toEqual({ trust: 'undecided', files: [], held: ['AGENTS.md'] });
  expect(await answer('declined')).toEqual({ trust: 'declined', files: [], held: ['AGENTS.md'] });
  expect(await answer('trusted')).toEqual({ trust: 'trusted', files: ['AGENTS.md'], held: [] });
  await bench.restart();
  expect((await settings()).instructions).toMatchObject({ trust: 'trusted' });
  expect(await answer(null)).toMatchObject({ trust: 'undecided' });
});
