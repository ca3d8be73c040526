import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { filesWith, find, search } from '../support/searching.ts';
import { workbench } from '../support/workbench.ts';

describe('what is found', () => {
  test('lines in the order of paths and lines, however many files there are', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `d${i % 7}/f${i}.txt`);
    await using bench = await workbench({
      files: Object.fromEntries(names.map((name) => [name, 'x\ny\nx\n'])),
    });
    const { matches, total, truncated } = await search(bench, 'x', { max_results: 1000 });
    const expected = names.sort().flatMap((file) => [`${file}:1`, `${file}:3`]);
    expect(matches.map(({ file, line }) => `${file}:${line}`)).toEqual(expected);
    expect({ total, truncated }).toEqual({ total: 600, truncated: false });
  });

  test('the first by path when it is cut short, and the same again', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `f${String(i).padStart(3, '0')}.txt`);
    await using bench = await workbench({
      files: Object.fromEntries(names.map((name) => [name, 'common\n'])),
    });
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await search(bench, 'common', { max_results: 20 }));
    expect(answers[0]?.matches.map(({ file }) => file)).toEqual(names.slice(0, 20));
    expect(answers[0]).toMatchObject({ total: 21, truncated: true });
    for (const { matches } of answers) expect(matches).toEqual(answers[0]?.matches);
  });

  test('exactly as many as asked for is not cut short', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x\nx\nx\n' } });
    expect(await search(bench, 'x', { max_results: 3 })).toMatchObject({ total: 3, truncated: false });
  });

  test.each([
    [0, 100],
    [-1, 100],
    [1_000_000_000, 1000],
    [undefined, 100],
  ])('S-04: max_results %j gives %j', async (max_results, expectedCount) => {
    await using bench = await workbench({ files: { 'a.txt': 'x\n'.repeat(1500) } });
    const options = max_results === undefined ? {} : { max_results };
    expect((await search(bench, 'x', options)).matches).toHaveLength(expectedCount);
  });

  test('text as it is written, an expression when asked for, case only when asked for', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a.c\nabc\nABC\n-e x\n' } });
    const lines = async (query: string, extra = {}): Promise<number[]> =>
      (await search(bench, query, extra)).matches.map(({ line }) => line);
    expect(await lines('a.c')).toEqual([1]);
    expect(await lines('a.c', { regex: true })).toEqual([1, 2, 3]);
    expect(await lines('a.c', { regex: true, case_sensitive: true })).toEqual([1, 2]);
    expect(await lines('-e')).toEqual([4]);
    expect(await lines('--files')).toEqual([]);
    expect(await lines('^$', { regex: true })).toEqual([]);
  });

  test('columns in UTF-16 units, CRLF and a byte order mark not in the text', async () => {
    await using bench = await workbench({
      files: { 'a.txt': '\ufeffneedle\r\näß€𝄞 needle\r\n', 'b.txt': 'no end: needle' },
    });
    expect((await search(bench, 'needle')).matches).toEqual([
      { file: 'a.txt', line: 1, column: 1, text: 'needle', match: 'needle' },
      { file: 'a.txt', line: 2, column: 7, text: 'äß€𝄞 needle', match: 'needle' },
      { file: 'b.txt', line: 1, column: 9, text: 'no end: needle', match: 'needle' },
    ]);
    expect((await search(bench, 'needle$', { regex: true })).total).toBe(3);
  });

  test('of a long line the part around the match, no character cut in two', async () => {
    const line = `${'ä'.repeat(3000)}needle${'€'.repeat(3000)}`;
    await using bench = await workbench({ files: { 'a.txt': `${line}\nneedle${'𝄞'.repeat(500)}\n` } });
    const [far, near] = (await search(bench, 'needle')).matches;
    expect(far).toMatchObject({ line: 1, column: 3001, match: 'needle' });
    expect(far?.text).toMatch(/^…ä+needle€+…$/);
    expect(near?.text).toMatch(/^needle(?:𝄞)+…$/u);
    for (const { text = '' } of [far, near].map((match) => ({ text: match?.text }))) {
      expect(text).not.toContain('\ufffd');
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(506);
    }
  });

  test('bytes that are not UTF-8 are shown as such, names too', async () => {
    await using bench = await workbench({ files: { 'a.txt': Buffer.from('f\xff needle\n', 'latin1') } });
    writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/n`), Buffer.from([0xff])]), 'needle\n');
    const { matches } = await search(bench, 'needle');
    expect(matches[0]).toMatchObject({ file: 'a.txt', text: 'f\ufffd needle' });
  });

  test('S-09: names with newlines, escapes and blanks', async () => {
    const names = ['a\nb.txt', ' c.txt', 'd\u001b[31m.txt', '-e', "it's.txt"];
    await using bench = await workbench({
      files: Object.fromEntries(names.map((name) => [name, 'needle\n'])),
    });
    expect(await filesWith(bench, 'needle')).toEqual(names.toSorted());
    expect(await find(bench, '*')).toEqual(names.toSorted());
  });

  test('files only, newest first', async () => {
    await using bench = await workbench({
      files: { 'a.txt': 'x\n', 'b.txt': 'x\nx\n', 'c.txt': 'y\n', 'd.txt': 'x\n' },
    });
    for (const [i, name] of ['b.txt', 'd.txt', 'a.txt'].entries())
      utimesSync(join(bench.root, name), i + 1, i + 1);
    const { files, total } = await search(bench, 'x', { files_only: true });
    expect(files?.map(({ path }) => path)).toEqual(['a.txt', 'd.txt', 'b.txt']);
    expect(total).toBe(3);
    expect(await find(bench, '*.txt', { order: 'newest' })).toEqual(['c.txt', 'a.txt', 'd.txt', 'b.txt']);
  });
});

describe('globs', () => {
  test('P-28: refused when they lead out, also after expansion', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x\n' } });
    for (const pattern of [
      '/etc/*',
      '../**',
      '{..,.}/**',
      'a/**/../../*',
      '.{.,x}/*',
      '{/etc,a}/*',
      'a\0b',
      './../*',
    ]) {
      expect(codeOf(await bench.call('find_files', { pattern })), pattern).toBe('INVALID_ARGUMENTS');
      expect(
        codeOf(await bench.call('search_in_project', { query: 'x', file_pattern: pattern })),
        pattern,
      ).toBe('INVALID_ARGUMENTS');
    }
  });

  test('mean the same to ripgrep as to us, whatever stands in them', async () => {
    const names = [
      'a.ts',
      'b.tsx',
      '[a].ts',
      '{a}.ts',
      'a b.ts',
      'src/a.ts',
      'src/deep/a.ts',
      'src/!a.ts',
      'A.TS',
    ];
    await using bench = await workbench({ files: Object.fromEntries(names.map((name) => [name, 'x\n'])) });
    expect(await find(bench, '*.ts')).toEqual(['[a].ts', 'a b.ts', 'a.ts', '{a}.ts']);
    expect(await find(bench, './**/*.{ts,tsx}')).toEqual(names.filter((name) => name !== 'A.TS').toSorted());
    expect(await find(bench, 'src/*/a.*')).toEqual(['src/deep/a.ts']);
    expect(await find(bench, '**/[!b].ts')).toEqual(['a.ts', 'src/a.ts', 'src/deep/a.ts']);
    expect(await find(bench, '\\[a\\].ts')).toEqual(['[a].ts']);
    expect(await filesWith(bench, 'x', { file_pattern: '?.ts' })).toEqual([
      'a.ts',
      'src/a.ts',
      'src/deep/a.ts',
    ]);
    expect(await filesWith(bench, 'x', { file_pattern: 'a.ts', path: 'src' })).toEqual([
      'src/a.ts',
      'src/deep/a.ts',
    ]);
  });
});
