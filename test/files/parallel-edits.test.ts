// Edits of one file that come at once: each is made on top of the one before, and nobody is asked twice about the same lines.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerApproval } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { workbench } from '../support/workbench.ts';

const lines = Array.from({ length: 10 }, (_, i) => `line ${i}`);
const text = `${lines.join('\n')}\n`;
const changed = `${lines.map((line) => `${line} changed`).join('\n')}\n`;

type Bench = Awaited<ReturnType<typeof workbench>>;

function editAll(bench: Bench): Promise<Awaited<ReturnType<Bench['call']>>[]> {
  return Promise.all(
    lines.map((line, i) =>
      bench.call(
        'edit_file',
        { path: 'a.txt', old_string: `${line}\n`, new_string: `${line} changed\n` },
        { id: `edit_${i}` },
      ),
    ),
  );
}

test('where nobody is asked, all of them are made', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': text } });
  const outcomes = await editAll(bench);
  expect(outcomes.map(({ status }) => status)).toEqual(lines.map(() => 'completed'));
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(changed);
});

test('where a human is asked, each is asked about once, also when the lines around it were changed by another', async () => {
  await using bench = await workbench({ mode: 'strict', files: { 'a.txt': text } });
  const askedIds: string[] = [];
  // All are waiting before the first is decided, as a person would find them.
  bench.human(async ({ id }) => {
    askedIds.push(id);
    const decision = { kind: 'approve' } as const;
    const by = { who: 'tester', via: 'test' };
    if (askedIds.length === lines.length)
      for (const approvalId of askedIds.slice(0, -1))
        await answerApproval(bench.host, { session: 's1', approvalId, decision, by });
    return askedIds.length < lines.length ? undefined : decision;
  });
  const outcomes = await editAll(bench);
  expect(outcomes.map(({ status }) => status)).toEqual(lines.map(() => 'completed'));
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(changed);
  expect(askedIds).toHaveLength(10);
});

test('what somebody else changed meanwhile is shown again', async () => {
  await using bench = await workbench({ mode: 'strict', files: { 'a.txt': text } });
  const reasons: (string | undefined)[] = [];
  bench.human(async ({ again }) => {
    reasons.push(again);
    if (again === undefined) writeFileSync(join(bench.root, 'a.txt'), `first\n${text}`);
    return { kind: 'approve' };
  });
  const edit = { path: 'a.txt', old_string: 'line 5\n', new_string: 'line five\n' };
  expect(await bench.call('edit_file', edit)).toMatchObject({ status: 'completed' });
  expect(reasons).toEqual([undefined, expect.stringContaining('changed in the meantime')]);
});

test('what an edit that nobody was asked about changed around it is shown again', async () => {
  const files = { 'a.js': 'function isTest() {\n  return false;\n}\n' };
  await using bench = await workbench({ mode: 'trusted', files });
  const reasons: (string | undefined)[] = [];
  bench.human(async ({ again }) => {
    reasons.push(again);
    const rename = { path: 'a.js', old_string: 'isTest', new_string: 'isAdmin' };
    if (again === undefined) await bench.call('edit_file', rename, { id: 'rename', session: 's2' });
    return { kind: 'approve' };
  });
  const edit = { path: 'a.js', old_string: 'return false', new_string: 'return true' };
  expect(await bench.call('edit_file', edit, { requiresApproval: true })).toMatchObject({
    status: 'completed',
  });
  expect(reasons).toEqual([undefined, expect.stringContaining('changed in the meantime')]);
});

test('an edit whose lines another edit has taken is refused by name', async () => {
  await using bench = await workbench({ mode: 'trusted', files: { 'a.txt': text } });
  const edit = (to: string) => ({ path: 'a.txt', old_string: 'line 5\n', new_string: to });
  const outcomes = await Promise.all([
    bench.call('edit_file', edit('one\n'), { id: 'one' }),
    bench.call('edit_file', edit('two\n'), { id: 'two' }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed']);
});
