// Laws of a review: whatever hunks a human takes, splits and edits, the call then gives exactly the text with those hunks applied. Real
// calls of every tool that shows a diff, on real files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  applyHunks,
  type DiffHunk,
  editItem,
  type HunkEdit,
  hunkFieldText,
  hunkFromField,
  type Review,
  reviewDecision,
  splitItem,
  startReview,
  toggleTaken,
} from '@codelab/protocol';
import { answerApproval } from '@codelab/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../packages/runtime/src/patch/unified-diff.ts';
import { nextApproval } from '../support/next-approval.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Change = { before: string; after: string; edits: { old_string: string; new_string: string }[] };
type Json = Record<string, unknown>;

/** Lines that differ from each other, some of them changed, and the steps of a review. */
const scenario = fc.record({
  lines: fc.array(fc.constantFrom('a', 'ß', '', '-x', '+y', '\\z', '@@'), { minLength: 1, maxLength: 40 }),
  changed: fc.uniqueArray(fc.tuple(fc.nat(39), fc.constantFrom('', 'NEW', 'one\ntwo', '-')), {
    selector: ([at]) => at,
    minLength: 1,
    maxLength: 6,
  }),
  ending: fc.constantFrom('\n', '\r\n'),
  hasBom: fc.boolean(),
  isOpen: fc.boolean(),
  steps: fc.array(
    fc.tuple(
      fc.nat(20),
      fc.constantFrom('toggle', 'split', 'edit'),
      fc.array(fc.constantFrom('mine', '', 'a', '+'), { maxLength: 4 }),
    ),
    { maxLength: 6 },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const tools: Record<string, (path: string, change: Change) => Json> = {
  write_file: (path, { after }) => ({ path, content: after }),
  edit_file: (path, { before, after }) => ({ path, old_string: before, new_string: after }),
  multi_edit: (path, { edits }) => ({ path, edits }),
  apply_patch: (path, { before, after }) => ({ diff: unifiedDiff({ path, before, after }).text }),
};

describe.each(Object.keys(tools))('%s', { timeout: 120_000 }, (tool) => {
  test('gives the text with the hunks as they were taken', async () => {
    await using bench = await workbench();
    let review: Review | undefined;
    let steps: Scenario['steps'] = [];
    bench.human(({ plan }) => {
      review = steps.reduce(step, startReview(plan.diff?.text ?? ''));
      return reviewDecision(review, plan);
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (generated) => {
        const change = changeOf(generated);
        fc.pre(change.before !== '' && change.before !== change.after);
        const path = `${count++}.txt`;
        // A patch knows the mark as a part of the first line; the other tools keep it by themselves.
        const mark = generated.hasBom ? '\ufeff' : '';
        const isPatch = tool === 'apply_patch';
        const known = isPatch ? withMark(change, mark) : change;
        writeFileSync(join(bench.root, path), `${mark}${change.before}`);
        steps = generated.steps;
        const outcome = await bench.call(tool, tools[tool]?.(path, known) ?? {});
        const takenItems = review?.items.filter(({ isTaken }) => isTaken) ?? [];
        const expected = applyHunks(
          known.before,
          takenItems.flatMap(({ hunk }) => hunk ?? []),
        );
        const isNothing = expected === known.before;
        expect(outcome.status).toBe(isNothing ? 'rejected' : 'completed');
        expect(disk(bench, path)).toBe(`${isPatch ? '' : mark}${expected}`);
      }),
      { numRuns: 40 },
    );
  });
});

test('a patch whose hunks stand elsewhere is narrowed to where they were found', async () => {
  const block = (name: string): string[] => ['{', `  ${name}`, '  same', '  same', '  same', '}', ''];
  const lines = [...block('one'), ...block('two'), ...block('three'), ...block('two')];
  const before = `${lines.join('\n')}\n`;
  const after = before.replace('  one\n', '  ONE\n').replace('  three\n', '  THREE\n');
  const diff = unifiedDiff({ path: 'a.txt', before, after }).text.replace(
    '@@ -1,5 +1,5 @@',
    '@@ -4,5 +4,5 @@',
  );
  await using bench = await workbench({ files: { 'a.txt': `// head\n// head\n${before}` } });
  bench.human(() => ({ kind: 'hunks', take: [2], edits: [{ hunk: 2, text: hunkText(diff, 2, 'mine') }] }));
  expect((await bench.call('apply_patch', { diff })).status).toBe('completed');
  expect(disk(bench, 'a.txt')).toBe(`// head\n// head\n${before.replace('  three\n', '  mine\n')}`);
});

test('a choice that does not fit is refused before anything is decided', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a\nb\n' } });
  const outcome = bench.call('write_file', { path: 'a.txt', content: 'A\nb\n' });
  const { id: approvalId } = await nextApproval(bench);
  const decide = (take: number[], ...edits: HunkEdit[]): Promise<void> =>
    answerApproval(bench.host, {
      session: 's1',
      approvalId,
      decision: { kind: 'hunks', take, edits },
      by: { who: 'tester', via: 'test' },
    });
  const edit = (text: string): HunkEdit => ({ hunk: 1, text });
  await expect(decide([2])).rejects.toThrow('There are 1 hunks, numbered from 1.');
  await expect(decide([], edit('x\n'))).rejects.toThrow('Hunk 1 is edited but not taken.');
  await expect(decide([1], edit('x\n'), edit('y\n'))).rejects.toThrow('Hunk 1 is edited twice.');
  await expect(decide([1], edit('x'))).rejects.toThrow('must end with a line feed');
  await decide([1], edit('mine\nb\n'));
  expect(await outcome).toMatchObject({ status: 'completed', changedBy: { kind: 'edit' } });
  expect(disk(bench, 'a.txt')).toBe('mine\nb\n');
});

test('no hunk at all is a rejection, also of a file that would be new', async () => {
  await using bench = await workbench();
  bench.human(() => ({ kind: 'hunks', take: [] }));
  const outcome = await bench.call('write_file', { path: 'new.txt', content: 'a\n' });
  expect(outcome).toMatchObject({
    status: 'rejected',
    error: { message: 'A human refused: no hunk was taken' },
  });
  expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
});

test('hunks of a deleted file that stay are what is left of it', async () => {
  const lines = ['a', 'b', 'c'];
  const diff = `diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,3 +0,0 @@\n${lines.map((line) => `-${line}\n`).join('')}`;
  await using bench = await workbench({ files: { x: 'a\nb\nc\n' } });
  bench.human(() => ({ kind: 'hunks', take: [1], edits: [{ hunk: 1, text: 'b\n' }] }));
  expect((await bench.call('apply_patch', { diff })).status).toBe('completed');
  expect(disk(bench, 'x')).toBe('b\n');
});

function changeOf({ lines, changed, ending, isOpen }: Scenario): Change {
  const numbered = lines.map((text, at) => `<${at}> ${text}`);
  const wantedChanges = changed.filter(([at]) => at < lines.length);
  const text = (all: readonly string[]): string =>
    all.join('\n').replaceAll('\n', ending) + (isOpen || all.length === 0 ? '' : ending);
  const next = numbered.slice();
  const edits = wantedChanges.map(([at, replacement]) => {
    next[at] = replacement;
    // The number makes the line unique, and the line above keeps its own end.
    return { old_string: numbered[at] ?? '', new_string: replacement.replaceAll('\n', ending) };
  });
  return { before: text(numbered), after: text(next), edits };
}

function withMark({ before, after, edits }: Change, mark: string): Change {
  return { before: `${mark}${before}`, after: `${mark}${after}`, edits };
}

function step(review: Review, [at, action, lines]: Scenario['steps'][number]): Review {
  const item = review.items[at % review.items.length];
  if (item?.hunk === undefined) return review;
  if (action === 'toggle') return toggleTaken(review, item.key);
  if (action === 'split') return splitItem(review, item.key);
  const edited = hunkFieldText(item.hunk) && hunkFromField(item.hunk, lines.join('\n'));
  return edited ? editItem(review, item.key, edited) : review;
}

function hunkText(diff: string, number: number, line: string): string {
  const hunk: DiffHunk | undefined = startReview(diff).items[number - 1]?.hunk;
  const field = hunk && hunkFieldText(hunk)?.replace('  THREE', `  ${line}`);
  return `${field}\n`;
}

function disk({ root }: Workbench, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
