import {
  chmodSync,
  chownSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identity } from '../../packages/runtime/src/workspace/directory.ts';
import { createReadCache } from '../../packages/runtime/src/workspace/text-files.ts';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

type Content = string | Uint8Array;

const oneFile = (content: Content): Promise<Workbench> =>
  workbench({ files: { 'a.txt': content }, mode: 'trusted' });
const bytesOf = (bench: Workbench): string => readFileSync(join(bench.root, 'a.txt')).toString('latin1');
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

describe('what a rewrite keeps', () => {
  test.each([
    ['E-01: CRLF', 'a\r\nb\r\nc\r\n', 'a\nX\nc\n', 'a\r\nX\r\nc\r\n'],
    ['E-01: LF', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nX\nc\n'],
    ['E-01: CR', 'a\rb\rc\r', 'a\nX\nc\n', 'a\rX\rc\r'],
    ['E-02: mixed, a line changed', 'a\r\nb\nc\rd\r\n', 'a\nX\nc\nd\n', 'a\r\nX\nc\rd\r\n'],
    ['E-02: mixed, lines added', 'a\r\nb\nc\n', 'a\nnew\nb\nc\nlast\n', 'a\r\nnew\r\nb\nc\nlast\n'],
    ['E-02: mixed, lines removed', 'a\r\nb\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['content that brings its own endings', 'a\r\nb\r\n', 'a\nb\r\n', 'a\nb\r\n'],
    ['no final newline, as before', 'a\r\nb', 'a\nX', 'a\r\nX'],
    ['a final newline taken away', 'a\nb\n', 'a\nb', 'a\nb'],
    ['a final newline added', 'a\r\nb', 'a\nb\n', 'a\r\nb\r\n'],
    ['byte order mark', '\ufeffa\nb\n', 'X\nb\n', '\ufeffX\nb\n'],
    ['byte order mark, given again', '\ufeffa\n', '\ufeffX\n', '\ufeffX\n'],
    ['byte order mark and CRLF', '\ufeffa\r\nb\r\n', 'X\nb\n', '\ufeffX\r\nb\r\n'],
    ['an empty file filled', '', 'a\n', 'a\n'],
    ['a file emptied', 'a\r\n', '', ''],
    ['characters of every width', 'é€😀\r\n', 'é€😀\nñ\n', 'é€😀\r\nñ\r\n'],
  ])('%s', async (_name, before, content, after) => {
    await using bench = await oneFile(before);
    expect(codeOf(await bench.call('write_file', { path: 'a.txt', content, keep_line_endings: true }))).toBe(
      'completed',
    );
    expect(bytesOf(bench)).toBe(latin1(after));
  });

  test.each([
    ['CRLF', 'LF', 'a\r\nb\r\n', 'a\nb\n'],
    ['LF', 'CRLF', 'a\nb\n', 'a\r\nb\r\n'],
    ['CR', 'LF', 'a\rb\r', 'a\nb\n'],
    ['mixed', 'LF', 'a\r\nb\n', 'a\nb\n'],
  ])('line endings are converted from %s to %s, and the plan says so', async (from, to, before, content) => {
    await using bench = await oneFile(before);
    const notes: string[] = [];
    bench.human(async (approval) => {
      notes.push(...approval.plan.notes);
      return { kind: 'approve' };
    });
    const outcome = await bench.call('write_file', { path: 'a.txt', content }, { requiresApproval: true });
    expect(outcome).toMatchObject({ data: { operation: 'updated', bytes_written: content.length } });
    expect(bytesOf(bench)).toBe(content);
    expect(notes).toEqual([`Changes line endings from ${from} to ${to}.`]);
  });

  test('a rewrite with the same text changes nothing, not even the times', async () => {
    await using bench = await oneFile('\ufeffa\r\nb\n');
    const stamp = (): string => identity(lstatSync(join(bench.root, 'a.txt'), { bigint: true }));
    const before = stamp();
    const outcome = await bench.call('write_file', { path: './/a.txt', content: 'a\r\nb\n' });
    expect(outcome).toMatchObject({ data: { operation: 'unchanged', path: 'a.txt' }, effects: [] });
    expect(stamp()).toBe(before);
  });

  test.each([0o755, 0o600, 0o444, 0o4755, 0o2755, 0o640, 0o777])('E-08: mode %o', async (mode) => {
    await using bench = await oneFile('old\n');
    chmodSync(join(bench.root, 'a.txt'), mode);
    bench.human(approveAll);
    const isOurs = isRoot || (mode & 0o200) !== 0;
    const outcome = await bench.call('write_file', { path: 'a.txt', content: 'new\n' });
    expect(codeOf(outcome)).toBe(isOurs ? 'completed' : 'PERMISSION_DENIED');
    expect(statSync(join(bench.root, 'a.txt')).mode & 0o7777).toBe(mode);
    if (isOurs) expect(outcome.effects).toMatchObject([{ before: { mode }, after: { mode } }]);
  });

  test.runIf(isRoot)('E-08: owner and group, when we may set them', async () => {
    await using bench = await oneFile('old\n');
    chownSync(join(bench.root, 'a.txt'), 1234, 5678);
    chmodSync(join(bench.root, 'a.txt'), 0o4750);
    bench.human(approveAll);
    await bench.call('write_file', { path: 'a.txt', content: 'new\n' });
    expect(statSync(join(bench.root, 'a.txt'))).toMatchObject({ uid: 1234, gid: 5678, mode: 0o104750 });
  });

  test.runIf(isRoot).each([
    ['owner', 1234, 65534, 0o664],
    ['group', 65534, 5678, 0o660],
  ])('E-08: the %s, when we may not set it', (_name, uid, gid, mode) => {
    using scratch = scratchFolder({ files: { 'a.txt': 'old\n' }, owner: 65534 });
    const file = join(scratch.root, 'a.txt');
    chownSync(file, uid, gid);
    chmodSync(file, mode);
    const calls = [{ tool: 'write_file', args: { path: 'a.txt', content: 'new\n' } }];
    const { outcomes } = callsInChild({ folder: scratch.folder, calls, wrapper: asNobody });
    expect(outcomes.map(codeOf)).toEqual(['completed']);
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(statSync(file)).toMatchObject({ uid, gid, mode: 0o100000 | mode });
  });

  test.runIf(isRoot).each([
    ['read-only for us', 65534, 0o444],
    ['somebody else’s', 1234, 0o644],
  ])('E-08: a file that is %s is not replaced behind its mode', (_name, uid, mode) => {
    using scratch = scratchFolder({ files: { 'a.txt': 'old\n' }, owner: 65534 });
    const file = join(scratch.root, 'a.txt');
    chownSync(file, uid, uid);
    chmodSync(file, mode);
    const calls = [{ tool: 'write_file', args: { path: 'a.txt', content: 'new\n' } }];
    const { outcomes } = callsInChild({ folder: scratch.folder, calls, wrapper: asNobody });
    expect(outcomes.map(codeOf)).toEqual(['PERMISSION_DENIED']);
    expect(readFileSync(file, 'utf8')).toBe('old\n');
  });

  test('a new file gets the mode the user’s mask leaves', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    await bench.call('write_file', { path: 'n.sh', content: 'x' });
    expect(statSync(join(bench.root, 'n.sh')).mode & 0o777).toBe(0o666 & ~process.umask());
  });
});

describe('what is no UTF-8 text is refused and left as it is', () => {
  test.each([
    ['E-05: UTF-16 LE', Buffer.from('\ufeffab\n', 'utf16le')],
    ['E-05: UTF-16 BE', Buffer.from('\ufeffab\n', 'utf16le').swap16()],
    ['E-05: a NUL byte', Buffer.from('a\0b\n')],
    ['E-04: Latin-1', Buffer.from('caf\xe9\n', 'latin1')],
    ['E-04: Shift-JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a])],
    ['E-04: half a character at the end', Buffer.from([0x61, 0xe2, 0x82])],
    ['E-04: an overlong slash', Buffer.from([0xc0, 0xaf])],
    ['E-04: a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ])('%s', async (_name, content) => {
    await using bench = await oneFile(content);
    const before = lstatSync(join(bench.root, 'a.txt'), { bigint: true });
    for (const [tool, args] of [
      ['read_file', { path: 'a.txt' }],
      ['read_file', { path: 'a.txt', start_line: 1 }],
      ['write_file', { path: 'a.txt', content: 'plain\n' }],
    ] as const)
      expect(codeOf(await bench.call(tool, args)), tool).toBe('ENCODING_ERROR');
    expect(bytesOf(bench)).toBe(content.toString('latin1'));
    expect(lstatSync(join(bench.root, 'a.txt'), { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  });
});

describe('sizes', () => {
  const MiB = 1024 * 1024;

  test.each([
    ['one MiB', MiB, 'completed'],
    ['one byte more', MiB + 1, 'FILE_TOO_LARGE'],
  ])('%s', async (_name, size, code) => {
    await using bench = await oneFile('x'.repeat(size));
    expect(codeOf(await bench.call('read_file', { path: 'a.txt' }))).toBe(code);
    expect(codeOf(await bench.call('write_file', { path: 'b.txt', content: 'y'.repeat(size) }))).toBe(code);
    expect(codeOf(await bench.call('write_file', { path: 'a.txt', content: 'small' }))).toBe(code);
    await using grownBench = await oneFile('\r\n'.repeat(100));
    const lines = '\n'.repeat(size - MiB / 2);
    const args = { path: 'a.txt', content: lines, keep_line_endings: true };
    expect(codeOf(await grownBench.call('write_file', args))).toBe(code);
  });

  test('an empty file', async () => {
    await using bench = await oneFile('');
    expect(await bench.call('read_file', { path: 'a.txt' })).toMatchObject({
      data: { content: '', size: 0 },
    });
    expect(await bench.call('read_file', { path: 'a.txt', start_line: 1 })).toMatchObject({
      data: { content: '', start_line: 0, end_line: 0, has_more: false },
    });
  });
});

describe('reading again', () => {
  const read = async (bench: Workbench): Promise<unknown> => {
    const outcome = await bench.call('read_file', { path: 'a.txt' });
    return outcome.status === 'completed' ? outcome.data.content : outcome.error.code;
  };
  /** A file last changed long ago, so that it is kept in the cache. */
  const benchWithHistory = async (): Promise<Workbench> => {
    const bench = await oneFile('old\n');
    await expect.poll(() => Date.now() - statSync(join(bench.root, 'a.txt')).ctimeMs).toBeGreaterThan(60);
    return bench;
  };

  test('E-17: a change that keeps the size and gives the time back is seen', async () => {
    await using bench = await benchWithHistory();
    const file = join(bench.root, 'a.txt');
    const { atime, mtime } = statSync(file);
    expect([await read(bench), await read(bench)]).toEqual(['old\n', 'old\n']);
    writeFileSync(file, 'new\n');
    utimesSync(file, atime, mtime);
    expect(await read(bench)).toBe('new\n');
  });

  test('E-16: a change whose time was given back before the read is seen too', () => {
    const cache = createReadCache(() => 1_000_000);
    const stat = { dev: 1n, ino: 1n, size: 4n, mode: 0n, mtimeNs: 1n, ctimeNs: 1_000_000n * 1_000_000n };
    cache.put(stat as never, { text: 'old\n', hasBom: false }, 60_000);
    expect(cache.get(stat as never)).toBeUndefined();
  });

  test('our own write is seen', async () => {
    await using bench = await benchWithHistory();
    expect(await read(bench)).toBe('old\n');
    await bench.call('write_file', { path: 'a.txt', content: 'new\n' });
    expect(await read(bench)).toBe('new\n');
  });

  test('E-17: what was deleted, closed or swapped is not served from memory', async () => {
    await using bench = await benchWithHistory();
    const file = join(bench.root, 'a.txt');
    expect(await read(bench)).toBe('old\n');
    rmSync(file);
    expect(await read(bench)).toBe('FILE_NOT_FOUND');
    writeFileSync(join(bench.root, 'b.txt'), 'two\n');
    symlinkSync('b.txt', file);
    expect(await read(bench)).toBe('two\n');
  });
});
