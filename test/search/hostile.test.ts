import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findLines } from '../../packages/runtime/src/search/find-lines.ts';
import { readLines } from '../../packages/runtime/src/search/read-lines.ts';
import { everyFile } from '../../packages/runtime/src/search/search-request.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { refusals } from '../support/beside-secrets.ts';
import { codeOf } from '../support/code-of.ts';
import { linesOfBoth, ripgrepProgram, search } from '../support/searching.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

async function codeFor(bench: Workbench, args: Record<string, unknown>): Promise<string> {
  return codeOf(await bench.call('search_in_project', args));
}

describe('patterns', () => {
  test('S-01: nested repetitions take no time', async () => {
    await using bench = await workbench({ files: { 'a.txt': `${'a'.repeat(30)}!\n`.repeat(1000) } });
    const began = performance.now();
    expect((await search(bench, '^(a+)+$', { regex: true })).total).toBe(0);
    expect((await search(bench, '(x+x+)+y|(a|aa)+$', { regex: true })).total).toBe(0);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test('S-01: without ripgrep they are ended', async () => {
    await using bench = await workbench({ files: { 'a.txt': `${'a'.repeat(40)}!\n` } });
    const request = { query: '^(a+)+$', isRegex: true };
    await expect(linesOfBoth(bench.root, request)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining('takes more than 1000 ms'),
    });
  });

  test.each([
    ['an open group', '(a'],
    ['look-behind', '(?<=a)b'],
    ['look-ahead', 'a(?=b)'],
    ['a backreference', '(a)\\1'],
    ['a newline', 'a\\nb'],
    ['too large when compiled', '((\\pL{100}){100}){100}'],
    ['a repetition too large', 'a{99999999999}'],
    ['a megabyte', 'a'.repeat(1024 * 1024)],
    ['nothing', ''],
    ['a NUL', 'a\0b'],
    ['two lines', 'a\nb'],
  ])('S-02: refused: %s', async (_name, query) => {
    await using bench = await workbench({ files: { 'a.txt': 'ab\n' } });
    const began = performance.now();
    expect(await codeFor(bench, { query, regex: true })).toBe('INVALID_ARGUMENTS');
    expect(performance.now() - began).toBeLessThan(3000);
  });

  test('options of ripgrep are text', async () => {
    await using bench = await workbench({
      files: { 'a.txt': '--pre=touch pwned\n-f/etc/passwd\n', 'x.sh': '' },
    });
    for (const query of ['--pre=touch pwned', '-f/etc/passwd', '--', '-'])
      expect((await search(bench, query)).total, query).toBeGreaterThan(0);
    expect((await search(bench, 'a', { file_pattern: '--pre=x' })).total).toBe(0);
    expect(readdirSync(bench.root).sort()).toEqual(['a.txt', 'x.sh']);
  });

  test('a configuration of ripgrep is not read', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'needle\n', '.ripgreprc': '--invert-match\n' } });
    process.env.RIPGREP_CONFIG_PATH = join(bench.root, '.ripgreprc');
    try {
      expect((await search(bench, 'needle')).matches).toMatchObject([{ file: 'a.txt' }]);
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });
});

describe('files', () => {
  test('S-05: long lines, many matches in a line, a match as long as the line', async () => {
    const line = 'abc needle '.repeat(300_000);
    await using bench = await workbench({ files: { 'a.js': `first\n${line}\nneedle\n` } });
    const { matches } = await search(bench, 'needle');
    expect(matches.map(({ line, column }) => [line, column])).toEqual([
      [2, 5],
      [3, 1],
    ]);
    const [match] = (await search(bench, 'abc .*', { regex: true })).matches;
    expect(match).toMatchObject({ file: 'a.js', line: 2, column: 1 });
    expect(match?.match.length).toBeLessThan(600);
  });

  test('a line that would fill the memory of ripgrep is left out, the rest is found', async () => {
    await using bench = await workbench({ files: { 'b.txt': 'needle\n' } });
    writeFileSync(join(bench.root, 'a.txt'), 'needle '.repeat(12_000_000));
    using workspace = Workspace.open(bench.root);
    const found = await findLines({
      directory: workspace.root,
      root: bench.root,
      query: 'needle',
      isRegex: false,
      isCaseSensitive: true,
      files: everyFile,
      isWithheld: () => false,
      signal: new AbortController().signal,
      program: await ripgrepProgram(),
      maxHits: 10,
      maxMemory: 30 * 1024 * 1024,
    });
    expect(found.hits.map(({ path }) => path)).toEqual(['b.txt']);
  });

  test('L-16: a huge file is refused by its size, or passed over', async () => {
    await using bench = await workbench({ files: { 'big.txt': '', 'a.txt': 'needle\n' } });
    truncateSync(join(bench.root, 'big.txt'), 10 * 1024 ** 3);
    expect(await codeFor(bench, { query: 'needle', path: 'big.txt' })).toBe('FILE_TOO_LARGE');
    expect((await search(bench, 'needle')).total).toBe(1);
  });

  test('L-12: FIFOs and devices are not opened', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'needle\n' } });
    execFileSync('mkfifo', [join(bench.root, 'pipe')]);
    expect((await search(bench, 'needle')).total).toBe(1);
    expect(await codeFor(bench, { query: 'needle', path: 'pipe' })).toBe('NOT_REGULAR_FILE');
  });

  test('P-24: every path that no tool takes is refused here too', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x\n', 'spare.txt': '' } });
    for (const path of [
      '../secret',
      '/etc/passwd',
      'a/../../x',
      '',
      'a\0b',
      'file:///etc',
      'あ'.repeat(90),
    ]) {
      const expected = await refusals(bench, path, (entryPoint) => entryPoint === 'read_file');
      expect([await codeFor(bench, { query: 'x', path })], path).toEqual(expected);
      expect([codeOf(await bench.call('find_files', { pattern: '*', path }))], path).toEqual(expected);
    }
  });

  test('what was found behind a folder that is a link by now is not read', async () => {
    await using bench = await workbench({ files: { 'real/a.txt': 'needle\n' } });
    mkdirSync(join(bench.folder, 'outside'));
    writeFileSync(join(bench.folder, 'outside/a.txt'), 'needle of others\n');
    symlinkSync('../outside', join(bench.root, 'swapped'));
    using workspace = Workspace.open(bench.root);
    const hit = { line: 1, offset: 0, start: 0, match: Buffer.from('needle') };
    const hits = ['real/a.txt', 'swapped/a.txt'].map((path) => ({ ...hit, path }));
    expect(readLines(workspace.root, hits).map(({ path }) => path)).toEqual(['real/a.txt']);
  });
});

describe('stopping', () => {
  test('a cancelled search ends at once and leaves no process', async () => {
    const text = 'abcdefghij klmnop\n'.repeat(60_000);
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.txt`, text]));
    await using bench = await workbench({ files });
    const stop = new AbortController();
    const slow = { query: '(\\w\\s?){40,60}[^\\x00-\\x7f]', regex: true };
    const calling = bench.call('search_in_project', slow, { signal: stop.signal });
    await waitFor(() => children().length > 0);
    stop.abort();
    expect(codeOf(await calling)).toBe('CANCELLED');
    expect(children()).toEqual([]);
  });

  test('so does one that takes too long, and one that has found enough', async () => {
    const text = 'abcdefghij klmnop\n'.repeat(60_000);
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.txt`, text]));
    await using bench = await workbench({ files });
    const slow = { query: '(\\w\\s?){40,60}[^\\x00-\\x7f]', regex: true };
    expect(codeOf(await bench.call('search_in_project', slow, { timeoutMs: 50 }))).toBe('TIMEOUT');
    expect((await search(bench, 'abc', { max_results: 5 })).truncated).toBe(true);
    expect(children()).toEqual([]);
  });
});

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Running ripgrep processes of this process. */
function children(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, name, , parent] =
          /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return name === 'rg' && Number(parent) === process.pid;
      } catch {
        return false;
      }
    });
}
