// A remembered call to a tool of others holds for its arguments; the human may leave some of them free, one by one.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApprovalRequest, Decision, Remember } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { httpBench } from '../support/http-bench.ts';
import { mcpBench, peer } from '../support/mcp-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** Calls the tool with each of these arguments; tells which were asked about. */
async function askedOf(calls: Record<string, unknown>[], remember: Remember): Promise<number[]> {
  await using bench = await mcpBench({ servers: { peer: peer() } });
  const askedAt: number[] = [];
  let at = 0;
  bench.human((): Decision => {
    askedAt.push(at);
    return at === 0 ? { kind: 'approve', remember } : { kind: 'approve' };
  });
  for (const args of calls) {
    expect(codeOf(await bench.call('mcp:peer:pay', args))).toBe('completed');
    at++;
  }
  return askedAt;
}

const scope = 'user' as const;

test('other values, more fields and fewer fields are asked about; the order of keys is not', async () => {
  const calls = [
    { to: 'ann', coins: { gold: 1, iron: [2] } },
    { coins: { iron: [2], gold: 1 }, to: 'ann' },
    { to: 'bob', coins: { gold: 1, iron: [2] } },
    { to: 'ann', coins: { gold: 1, iron: [2] }, twice: true },
    { to: 'ann' },
    {},
  ];
  expect(await askedOf(calls, { scope })).toEqual([0, 2, 3, 4, 5]);
});

test('a field that is left free may have any value, or none, and no other field', async () => {
  const calls = [{ to: 'ann', note: 'a' }, { to: 'ann', note: 'b' }, { to: 'ann' }, { to: 'bob', note: 'a' }];
  expect(await askedOf(calls, { scope, widen: ['note'] })).toEqual([0, 3]);
});

test('a long argument is kept by its digest', async () => {
  const long = 'x'.repeat(5000);
  expect(await askedOf([{ text: long }, { text: long }, { text: `${long}y` }], { scope })).toEqual([0, 2]);
});

test('a rule with other arguments than those that were shown is refused', async () => {
  await using bench = await mcpBench({ servers: { peer: peer() }, limits: { approvalMs: 2000 } });
  const { answerApproval, proposeRule } = await import('@codelab/runtime');
  const refused: unknown[] = [];
  bench.human(async (approval: ApprovalRequest) => {
    const rule = proposeRule('allow', approval);
    if (rule === undefined) throw new Error('There is no rule.');
    const { args: _args, ...open } = rule;
    const wider = [
      open,
      { ...rule, args: { to: '"bob"' } },
      { ...rule, free: ['to'] },
      { ...rule, args: {} },
    ];
    for (const widerRule of wider) {
      const decision: Decision = { kind: 'approve', remember: { scope, rule: widerRule } };
      const by = { who: 'tester', via: 'test' };
      const answerArgs = { session: 's1', approvalId: approval.id, decision, by };
      refused.push(await answerApproval(bench.host, answerArgs).catch((error: unknown) => error));
    }
    return { kind: 'approve', remember: { scope, rule: { ...rule, free: [] } } };
  });
  expect(codeOf(await bench.call('mcp:peer:pay', { to: 'ann' }))).toBe('completed');
  expect(refused).toHaveLength(4);
  for (const error of refused) expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('a tool of our own has no arguments to leave free', async () => {
  await using bench = await mcpBench({ servers: {}, limits: { approvalMs: 500 } });
  bench.human(() => ({ kind: 'approve', remember: { scope, widen: ['content'] } }));
  expect(codeOf(await bench.call('write_file', { path: 'a.txt', content: 'x' }))).toBe('APPROVAL_EXPIRED');
  expect(bench.host.rules.list().filter(({ isKept }) => isKept)).toEqual([]);
});

test('another terminal approves, leaves an argument free, and takes the rule out again', async () => {
  await using bench = await mcpBench({ servers: { peer: peer() } });
  const codelab = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, CODELAB_HOME: bench.home };
    return (await promisify(execFile)(process.execPath, [codelabProgram, ...args], { env })).stdout;
  };
  const askedArgs: string[] = [];
  let approved: Promise<string> | undefined;
  bench.human(({ id, args }) => {
    askedArgs.push(JSON.stringify(args));
    if (askedArgs.length > 1) return { kind: 'reject' };
    approved = codelab('approvals', 'approve', id, '--remember', 'workspace', '--widen', 'note');
    return undefined;
  });
  const pay = async (to: string, note: string): Promise<string> =>
    codeOf(await bench.call('mcp:peer:pay', { to, note }));
  expect(await pay('ann', 'a')).toBe('completed');
  // The rule is kept after the decision.
  await approved;
  expect(await pay('ann', 'b')).toBe('completed');
  expect(askedArgs).toHaveLength(1);
  expect(await pay('bob', 'b')).toBe('REJECTED');
  const [keptRule] = bench.host.rules.list().filter(({ isKept }) => isKept);
  expect(keptRule?.rule).toMatchObject({ args: { to: '"ann"' }, free: ['note'] });
  await codelab('policy', 'remove', keptRule?.rule.id ?? '', '--workspace', bench.root);
  expect(await pay('ann', 'b')).toBe('REJECTED');
  expect(askedArgs).toHaveLength(3);
});

test('over HTTP the rule is shown with what is left free, and kept so', async () => {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ mcp: { servers: { peer: peer() } } }));
  await using http = await httpBench({ folder: scratch.folder });
  const { bench } = http;
  const first = bench.call('mcp:peer:pay', { to: 'ann', note: 'a' }, { id: 'w' });
  const live = await bench.host.session('s1');
  const id = await live.waitFor(() => {
    const state = live.openCalls.get('w');
    return state?.state === 'awaiting_approval' ? state.approval.id : undefined;
  }, AbortSignal.timeout(20_000));
  const { body } = await http.get(`/api/v1/sessions/s1/approvals/${id}/rule?widen=note`);
  expect(body).toMatchObject({
    arguments: ['to', 'note'],
    rule: { args: { to: '"ann"' }, free: ['note'] },
    text: 'tool mcp:peer:pay, with to="ann", any value of note',
  });
  const remember = { scope: 'user', rule: body.rule, widen: ['note'] };
  const decision = { approval_id: id, decision: { kind: 'approve', remember } };
  expect((await http.post('/api/v1/sessions/s1/decisions', decision)).status).toBe(200);
  expect(codeOf(await first)).toBe('completed');
  expect(codeOf(await bench.call('mcp:peer:pay', { to: 'ann', note: 'b' }))).toBe('completed');
});
