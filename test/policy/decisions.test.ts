import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerApproval } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { nextApproval } from '../support/next-approval.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const write = { path: 'a.txt', content: 'new\n' };
const by = { who: 'tester', via: 'test' };

async function types(bench: Workbench, session = 's1'): Promise<string[]> {
  return (await bench.log.read(session)).map((event) => event.body.type);
}

describe('decisions', () => {
  test('reject carries its feedback to the caller and changes nothing', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    bench.human(() => ({ kind: 'reject', feedback: 'too risky' }));
    expect(await bench.call('write_file', write)).toMatchObject({
      status: 'rejected',
      error: { code: 'REJECTED', message: 'A human refused: too risky', details: { feedback: 'too risky' } },
    });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
  });

  test('edit runs the edited call and says what was changed', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const args = { path: 'b.txt', content: 'edited\n' };
    bench.human(() => ({ kind: 'edit', args, feedback: 'wrong file' }));
    const outcome = await bench.call('write_file', write);
    expect(outcome).toMatchObject({
      status: 'completed',
      data: { path: 'b.txt' },
      changedBy: { kind: 'edit', args, feedback: 'wrong file' },
    });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('edited\n');
  });

  test('an edit into something riskier is shown again before it runs', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const againTexts: (string | undefined)[] = [];
    bench.human((approval) => {
      againTexts.push(approval.again);
      return againTexts.length === 1
        ? { kind: 'edit', args: { path: 'package.json', content: '{}' } }
        : { kind: 'reject', feedback: 'no' };
    });
    expect((await bench.call('write_file', write)).status).toBe('rejected');
    expect(againTexts).toEqual([undefined, 'As edited, the call is riskier than what was shown.']);
  });

  test.each([
    ['a path outside', { path: '../x', content: '' }, 'PATH_OUTSIDE_WORKSPACE'],
    ['a denied path', { path: '.git/config', content: '' }, 'PERMISSION_DENIED'],
    ['an extra key', { path: 'a.txt', content: '', shell: true }, 'INVALID_ARGUMENTS'],
    ['__proto__', JSON.parse('{"path":"a.txt","content":"","__proto__":{}}'), 'INVALID_ARGUMENTS'],
  ])('an edit to %s is refused', async (_name, args, code) => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    bench.human(() => ({ kind: 'edit', args }));
    expect(await bench.call('write_file', write)).toMatchObject({ status: 'failed', error: { code } });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
  });

  test('hunks: a human takes two of three', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`);
    const change = (indexes: number[]): string =>
      lines.map((line, i) => (indexes.includes(i) ? line.toUpperCase() : line)).join('');
    await using bench = await workbench({ files: { 'a.txt': lines.join('') } });
    bench.human(() => ({ kind: 'hunks', take: [1, 3] }));
    const outcome = await bench.call('write_file', { path: 'a.txt', content: change([2, 14, 27]) });
    expect(outcome).toMatchObject({ status: 'completed', changedBy: { kind: 'hunks' } });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(change([2, 27]));
  });

  test('the second decision changes nothing and is refused by name', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const outcome = bench.call('write_file', write);
    const { id: approvalId } = await nextApproval(bench);
    const give = (kind: 'approve' | 'reject'): Promise<void> =>
      answerApproval(bench.host, { session: 's1', approvalId, decision: { kind }, by });
    const answers = await Promise.allSettled([give('reject'), give('approve'), give('approve')]);
    expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect((await outcome).status).toBe('rejected');
    await expect(give('approve')).rejects.toMatchObject({ code: 'ALREADY_DECIDED' });
    expect((await types(bench)).filter((type) => type === 'approval.decided')).toHaveLength(1);
  });

  test('a decision for another session’s approval is refused', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const stop = new AbortController();
    const outcome = bench.call('write_file', write, { signal: stop.signal });
    const { id: approvalId } = await nextApproval(bench);
    const foreign = { session: 's2', approvalId, decision: { kind: 'approve' as const }, by };
    await expect(answerApproval(bench.host, foreign)).rejects.toMatchObject({ code: 'APPROVAL_NOT_FOUND' });
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
  });

  test('nobody in time: a warning, then an expiry with its own code', async () => {
    await using bench = await workbench({
      files: { 'a.txt': 'old\n' },
      limits: { approvalMs: 300, approvalWarnMs: 200 },
    });
    const outcome = await bench.call('write_file', write);
    expect(outcome).toMatchObject({ status: 'expired', error: { code: 'APPROVAL_EXPIRED' } });
    expect((await types(bench)).slice(3)).toEqual([
      'approval.requested',
      'approval.warned',
      'approval.expired',
      'call.finished',
    ]);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('old\n');
  });

  test('a file changed while the approval waits is asked about again, with the new diff', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
    const diffs: (string | undefined)[] = [];
    bench.human((approval) => {
      diffs.push(approval.plan.diff?.text);
      if (diffs.length === 1) writeFileSync(join(bench.root, 'a.txt'), 'theirs\n');
      return diffs.length === 1 ? { kind: 'approve' } : { kind: 'reject' };
    });
    expect((await bench.call('write_file', write)).status).toBe('rejected');
    expect(diffs).toEqual([
      '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n',
      '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-theirs\n+new\n',
    ]);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('theirs\n');
  });

  test.each(['hunks', 'edit'] as const)(
    'a file changed while %s was being chosen is not overwritten',
    async (kind) => {
      await using bench = await workbench({ files: { 'a.txt': 'old\n' } });
      let askCount = 0;
      bench.human(() => {
        if (askCount++ > 0) return { kind: 'reject' };
        writeFileSync(join(bench.root, 'a.txt'), 'theirs\n');
        return kind === 'hunks'
          ? { kind, take: [1] }
          : { kind, args: { path: 'a.txt', content: 'edited\n' } };
      });
      expect((await bench.call('write_file', write)).status).toBe('rejected');
      expect(askCount).toBe(2);
      expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('theirs\n');
    },
  );

  test('prompt_user returns an offered action and refuses any other', async () => {
    await using bench = await workbench();
    const outcome = bench.call('prompt_user', { message: 'Go on?', actions: ['approve', 'deny'] });
    const { id: approvalId } = await nextApproval(bench);
    const answer = (action: string): Promise<void> =>
      answerApproval(bench.host, { session: 's1', approvalId, decision: { kind: 'answer', action }, by });
    await expect(answer('review')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    await answer('deny');
    expect(await outcome).toMatchObject({ status: 'completed', data: { action: 'deny' } });
  });

  test.each(['session', 'workspace', 'user'] as const)(
    'remembered for the %s, the same is not asked again',
    async (scope) => {
      await using bench = await workbench({ files: { 'a.txt': 'old\n', 'b.txt': 'old\n' } });
      let askCount = 0;
      bench.human(() => {
        askCount++;
        return { kind: 'approve', remember: { scope } };
      });
      await bench.call('write_file', write);
      if (scope !== 'session') await bench.restart();
      expect((await bench.call('write_file', { ...write, content: 'newer\n' }, { id: 'again' })).status).toBe(
        'completed',
      );
      expect(askCount).toBe(1);
      if (scope !== 'session')
        bench.human((approval) =>
          approval.callId === 'other' ? { kind: 'reject', feedback: `${++askCount}` } : undefined,
        );
      await bench.call('write_file', { path: 'b.txt', content: 'x' }, { id: 'other' });
      expect(askCount).toBe(2);
    },
  );
});
