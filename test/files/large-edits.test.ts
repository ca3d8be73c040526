// A large file is edited in its bytes, around the place of the edit. What comes out has to be what the edit of the whole text is.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbench } from '../support/workbench.ts';

const lines = Array.from({ length: 4000 }, (_, i) => `line ${i} is größer than it looks\n`);
const large = lines.join('');
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

test('edits one after the other, each recorded with the digests of what was there and what is there now', async () => {
  await using bench = await workbench({ files: { 'a.txt': large }, mode: 'trusted' });
  let text = large;
  for (const [n, word] of [
    [3999, 'first'],
    [0, 'second'],
    [2000, 'third\nand more'],
    [2001, ''],
  ] as const) {
    const before = digestOf(text);
    const args = { path: 'a.txt', old_string: `line ${n} is`, new_string: word };
    text = text.replace(args.old_string, word);
    const outcome = await bench.call('edit_file', args);
    expect(outcome).toMatchObject({
      status: 'completed',
      data: { replacements: 1, operation: 'updated' },
      effects: [{ before: { digest: before }, after: { digest: digestOf(text) } }],
    });
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(text);
  }
});

test('the hunk is numbered as in the whole file', async () => {
  await using bench = await workbench({ files: { 'a.txt': large }, mode: 'strict' });
  const headers: (string | undefined)[] = [];
  bench.human(({ plan }) => {
    headers.push(plan.diff?.text.split('\n')[2]);
    return { kind: 'approve' };
  });
  const edit = { path: 'a.txt', old_string: 'line 2000 is', new_string: 'line 2000\nis' };
  expect(await bench.call('edit_file', edit)).toMatchObject({ status: 'completed', data: { additions: 2 } });
  expect(headers).toEqual(['@@ -1998,7 +1998,8 @@']);
});

test('two files with the same text, and one that somebody changed between two edits', async () => {
  await using bench = await workbench({ files: { 'a.txt': large }, mode: 'trusted' });
  const edit = (path: string, old_string: string, new_string: string) =>
    bench.call('edit_file', { path, old_string, new_string });
  const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');
  const once = large.replace('line 5 is', 'LINE 5 is');
  expect(await edit('a.txt', 'line 5 is', 'LINE 5 is')).toMatchObject({ status: 'completed' });
  expect(await bench.call('write_file', { path: 'b.txt', content: once })).toMatchObject({
    status: 'completed',
    effects: [{ after: { digest: digestOf(once) } }],
  });
  expect([read('a.txt'), read('b.txt')]).toEqual([once, once]);
  const others = once.replace('line 6 is', 'line 6 was');
  writeFileSync(join(bench.root, 'a.txt'), others);
  expect(await edit('a.txt', 'line 7 is', 'LINE 7 is')).toMatchObject({
    status: 'completed',
    effects: [{ before: { digest: digestOf(others) } }],
  });
  expect(read('a.txt')).toBe(others.replace('line 7 is', 'LINE 7 is'));
});
