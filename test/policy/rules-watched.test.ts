// Rules are looked at before each call: what another process or an editor does to their files holds at once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { createRegistry } from '@codelab/runtime';
import { dropRule, keepRule } from '@codelab/server';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { type ProcessBench, processBench } from '../support/process-bench.ts';

type Asked = AsyncDisposable & { bench: ProcessBench; asked: ApprovalRequest[] };

async function benchRecordingApprovals(files: Record<string, string>): Promise<Asked> {
  const approvals: ApprovalRequest[] = [];
  const human = (approval: ApprovalRequest) => {
    approvals.push(approval);
    return { kind: 'approve' as const };
  };
  const bench = await processBench({ files, human });
  return { bench, asked: approvals, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

test('a rule that another process removes or adds holds at once', async () => {
  await using all = await benchRecordingApprovals({ 'x.sh': 'echo good\n' });
  const { bench, asked } = all;
  const target = { scope: 'workspace', root: bench.root } as const;
  await bench.run('sh x.sh');
  expect(asked).toHaveLength(1);
  await keepRule(bench.home, target, { id: 'yes', effect: 'allow', reason: 'Ours.', command: 'sh x.sh' });
  await bench.run('sh x.sh');
  expect(asked).toHaveLength(1);
  await dropRule(bench.home, target, 'yes');
  expect(bench.bench.host.rules.list().filter(({ isKept }) => isKept)).toEqual([]);
  await bench.run('sh x.sh');
  expect(asked).toHaveLength(2);
  await keepRule(bench.home, target, { id: 'no', effect: 'deny', reason: 'No more.', command: 'sh *' });
  expect(codeOf(await bench.run('sh x.sh'))).toBe('PERMISSION_DENIED');
});

test('where the rules can’t be read any more, what they allowed is asked and what they denied stays so', async () => {
  await using all = await benchRecordingApprovals({ 'x.sh': 'echo good\n', 'y.sh': 'echo y\n' });
  const { bench, asked } = all;
  const target = { scope: 'user', root: bench.root } as const;
  await keepRule(bench.home, target, { id: 'yes', effect: 'allow', reason: 'Ours.', command: 'sh x.sh' });
  await keepRule(bench.home, target, { id: 'no', effect: 'deny', reason: 'Never.', command: 'sh y.sh' });
  await bench.run('sh x.sh');
  expect(asked).toEqual([]);
  writeFileSync(join(bench.home, 'rules.json'), '{"user": [');
  const verdict = await judged(bench, 'sh x.sh');
  expect(verdict).toMatchObject({ verdict: 'ask' });
  expect(verdict.reason).toContain('allow rules are ignored until they are corrected');
  expect(verdict.reason).toContain('rules.json');
  expect(await judged(bench, 'sh y.sh')).toMatchObject({ verdict: 'deny', rule: 'no' });
  writeFileSync(join(bench.home, 'rules.json'), '{"user": [], "workspaces": {}}');
  expect((await judged(bench, 'sh y.sh')).reason).not.toContain('corrected');
});

async function judged(bench: ProcessBench, command: string): Promise<ApprovalRequest['verdict']> {
  const registry = await createRegistry(bench.bench.host, { session: 'look', dialect: 'codelab' });
  return (await registry.approvalRequest('run_command', { command })).verdict;
}

test('a rule that is removed while the call waits for its place does not count', async () => {
  await using all = await benchRecordingApprovals({ 'wait.sh': 'until test -e go; do sleep 0.05; done\n' });
  const { bench, asked } = all;
  const target = { scope: 'workspace', root: bench.root } as const;
  await keepRule(bench.home, target, { id: 'yes', effect: 'allow', reason: 'Ours.', command: 'touch b' });
  const first = bench.run('touch b && sh wait.sh');
  const session = await bench.bench.host.session('s1');
  await session.waitFor(
    () => [...session.openCalls.values()].find(({ state }) => state === 'running'),
    AbortSignal.timeout(20_000),
  );
  const { rules } = bench.bench.host;
  const { judge } = rules;
  const judgedOnce = Promise.withResolvers<void>();
  rules.judge = (...args) => {
    judgedOnce.resolve();
    return judge(...args);
  };
  const second = bench.run('touch b');
  await judgedOnce.promise;
  await dropRule(bench.home, target, 'yes');
  writeFileSync(join(bench.root, 'go'), '');
  expect([codeOf(await first), codeOf(await second)]).toEqual(['completed', 'completed']);
  expect(asked.map(({ plan }) => plan.command?.line)).toEqual(['touch b && sh wait.sh', 'touch b']);
});
