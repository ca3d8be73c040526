import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Conversation } from '@codelab/agent';
import type { Rule } from '@codelab/protocol';
import { changeContext, readMentions } from '@codelab/server/agent';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Workbench, workbench } from '../support/workbench.ts';

async function mentioned(bench: Workbench, text: string): Promise<Record<string, string>> {
  const { files = [], problems } = await readMentions(bench.host, text, reader);
  expect(problems).toEqual([]);
  return Object.fromEntries(files.map((file) => [file.path, file.text]));
}

async function remember(bench: Workbench, rule: Rule): Promise<void> {
  const session = await bench.host.session('s1');
  await session.commit(() => [{ type: 'rule.remembered', rule, by: { who: 't', via: 'test' } }]);
}

const reader = { session: 's1', by: { who: 'ann', via: 'test' } };

describe('a file named in what the user says', () => {
  const files = { 'src/a.ts': 'A\n', 'a b.txt': 'B\n', 'README.md': 'R\n', Makefile: 'M\n', 'ünï.md': 'U\n' };

  test('is brought along, however it is named and whatever follows it', async () => {
    await using bench = await workbench({ files });
    expect(await mentioned(bench, 'see @src/a.ts, @"a b.txt" (@README.md) and @Makefile.')).toEqual({
      'src/a.ts': 'A\n',
      'a b.txt': 'B\n',
      'README.md': 'R\n',
      Makefile: 'M\n',
    });
    expect(await mentioned(bench, '@src/a.ts:12-14? @src/a.ts\n@ünï.md!')).toEqual({
      'src/a.ts': 'A\n',
      'ünï.md': 'U\n',
    });
  });

  test('a folder comes as its list of names', async () => {
    await using bench = await workbench({ files: { ...files, 'src/lib/x.ts': '' } });
    expect(await mentioned(bench, 'what is in @src/ and @src?')).toEqual({ 'src/': 'src/a.ts\nsrc/lib/' });
  });

  test('what only looks like one is left alone', async () => {
    await using bench = await workbench({ files: { ...files, 'b.c': 'x', types: 'x', Get: 'x' } });
    const text = 'mail a@b.c or me@types, hi @john, x.@types, foo/@types, @@types, @ alone, @"" and 5@Get';
    expect(await mentioned(bench, text)).toEqual({});
  });

  test('is known to the session as read, so that an edit of it is not refused as unseen', async () => {
    await using bench = await workbench({ files, mode: 'trusted' });
    await readMentions(bench.host, '@src/a.ts', reader);
    const args = { path: 'src/a.ts', content: 'new\n', must_have_read: true };
    expect(await bench.call('write_file', args)).toMatchObject({ status: 'completed' });
  });

  test('is not brought along when it is not text, leads out, or a rule says no', async () => {
    await using bench = await workbench({
      files: { 'x.bin': Uint8Array.of(0, 255), '.env': 'KEY=1\n', 'no.txt': 'n\n' },
    });
    symlinkSync('/etc/hostname', join(bench.root, 'out'));
    await remember(bench, { id: 'no', effect: 'deny', reason: 'Not this.', path: 'no.txt' });
    const text = '@x.bin @.env @no.txt @out @../x @/etc/passwd';
    const { files: found, problems } = await readMentions(bench.host, text, reader);
    expect(found).toBeUndefined();
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(text.split(' '));
    expect(problems[2]).toContain('Not this.');
  });

  test('is cut when it is long, and there is an end to how much comes along', async () => {
    const long = 'x'.repeat(200_000);
    const many = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`f${n}`, `${n}${long}`]));
    await using bench = await workbench({ files: many });
    const { files: found = [], problems } = await readMentions(bench.host, '@f1 @f2 @f3 @f4 @f5', reader);
    expect(found.length).toBeLessThan(5);
    expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(310_000);
    expect(found[0]?.text).toContain('characters left out');
    expect(found.length + problems.length).toBe(5);
  });

  test('whatever is said, nothing outside comes along', async () => {
    await using bench = await workbench({ files: { 'a/b': 'inside' } });
    const piece = fc.constantFrom('@', '"', '../', '/', 'a', 'b', '.', ' ', ':1', '\0', 'etc/passwd', '\n');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { files: found = [] } = await readMentions(bench.host, pieces.join(''), reader);
        for (const { text } of found) expect(['inside', 'a/b', 'a/', '']).toContain(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a pinned file', () => {
  const pins = async (bench: Workbench): Promise<string[]> => {
    const conversation = new Conversation(() => '');
    for (const event of await bench.log.read('s1')) conversation.apply(event);
    return [...conversation.pinned];
  };

  test('is added, removed and cleared by its real path', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    symlinkSync('a.txt', join(bench.root, 'link'));
    expect(await changeContext(bench.host, 's1', { op: 'add_file', path: './link' })).toBe('a.txt');
    await changeContext(bench.host, 's1', { op: 'add_file', path: 'b.txt' });
    expect(await pins(bench)).toEqual(['a.txt', 'b.txt']);
    await changeContext(bench.host, 's1', { op: 'remove_file', path: 'link' });
    expect(await pins(bench)).toEqual(['b.txt']);
    await changeContext(bench.host, 's1', { op: 'clear' });
    expect(await pins(bench)).toEqual([]);
  });

  test.each([
    ['missing.txt', 'FILE_NOT_FOUND'],
    ['x.bin', 'ENCODING_ERROR'],
    ['folder', 'NOT_REGULAR_FILE'],
    ['large.txt', 'FILE_TOO_LARGE'],
    ['.env', 'PERMISSION_DENIED'],
    ['../out', 'PATH_OUTSIDE_WORKSPACE'],
  ])('%s is refused, and nothing is recorded', async (path, code) => {
    await using bench = await workbench({
      files: {
        'x.bin': Uint8Array.of(0, 255),
        'folder/x': '',
        'large.txt': 'x'.repeat(300_000),
        '.env': 'K=1\n',
      },
    });
    await expect(changeContext(bench.host, 's1', { op: 'add_file', path })).rejects.toMatchObject({ code });
    expect(await pins(bench)).toEqual([]);
    await changeContext(bench.host, 's1', { op: 'remove_file', path });
  });
});
