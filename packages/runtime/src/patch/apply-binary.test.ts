import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatPatch } from './format-patch.ts';
import { parsePatch } from './parse/parse-patch.ts';
import { patchTree } from './patch-tree.ts';

const bytes = (length: number, seed: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * index * seed + (index >> 3)) & 0xff));
const OLD = bytes(20_000, 7);
const EDITED = Buffer.concat([OLD.subarray(0, 9_000), Buffer.from('\0new\0'), OLD.subarray(9_100)]);
const OTHER = bytes(500, 31);
const EMPTY = Buffer.alloc(0);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-binary-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const diff = (before: Buffer | null, after: Buffer | null, ...options: string[]): string => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  rmSync(join(folder, '.git'), { recursive: true, force: true });
  git('init', '--quiet');
  const add = (content: Buffer | null): string => {
    rmSync(join(folder, 'x'), { force: true });
    if (content !== null) writeFileSync(join(folder, 'x'), content);
    git('add', '--all');
    return git('write-tree').trim();
  };
  return git('diff', ...(options.length > 0 ? options : ['--binary']), add(before), add(after));
};
const apply = (text: string, before: Buffer | null) =>
  patchTree(parsePatch(text), (path) =>
    path === 'x' && before !== null ? { text: before.toString('latin1'), mode: 0o100644 } : undefined,
  )[0]?.after?.text;
const refused = (text: string, before: Buffer | null, part: string) =>
  expect(() => apply(text, before)).toThrow(
    expect.objectContaining({ code: 'PATCH_APPLY_FAILED', message: expect.stringContaining(part) }),
  );

describe('a patch made by git diff --binary', () => {
  test.each([
    ['new bytes', OLD, OTHER, 'literal 500'],
    ['a delta', OLD, EDITED, 'delta '],
    ['a new file', null, OTHER, 'literal 500'],
    ['a file that becomes empty', OTHER, EMPTY, 'literal 0'],
  ])('%s: makes the bytes git means', (_, before, after, method) => {
    const text = diff(before, after);
    expect(text).toContain(method);
    expect(apply(text, before)).toBe(after.toString('latin1'));
    expect(apply(text.replaceAll('\n', '\r\n'), before)).toBe(after.toString('latin1'));
    expect(apply(formatPatch(parsePatch(text)), before)).toBe(after.toString('latin1'));
  });

  test('a deletion deletes', () => {
    const [change] = patchTree(parsePatch(diff(OTHER, null)), () => ({
      text: OTHER.toString('latin1'),
      mode: 0o100644,
    }));
    expect(change).toMatchObject({ path: 'x', operation: 'delete', after: null });
  });

  test('is shown by a notice', () => {
    expect(formatPatch(parsePatch(diff(OLD, EDITED)), 'notice')).toMatch(
      /^diff --git a\/x b\/x\nindex [\da-f]{40}\.\.[\da-f]{40}\nBinary files a\/x and b\/x differ\n$/,
    );
  });

  test('applies only to the file it was made from', () => {
    refused(diff(OLD, EDITED), OTHER, 'not the one the binary patch was made from');
    refused(diff(OLD, EDITED), EDITED, 'not the one the binary patch was made from');
    refused(diff(null, OTHER), OLD, 'exists already');
  });
});

describe('a damaged binary patch is refused', () => {
  test('a changed, cut or missing line', () => {
    const text = diff(OLD, OTHER);
    const lines = text.split('\n');
    const first = lines.findIndex((line) => line.startsWith('literal ')) + 1;
    const changed = lines.with(
      first,
      (lines[first] ?? '').replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    );
    expect(() => apply(changed.join('\n'), OLD)).toThrow(
      expect.objectContaining({ code: 'PATCH_APPLY_FAILED' }),
    );
    refused(lines.with(first, (lines[first] ?? '').slice(0, -1)).join('\n'), OLD, 'damaged');
    refused(lines.with(first, `${lines[first]?.slice(0, -1)} `).join('\n'), OLD, 'damaged');
    refused(lines.toSpliced(first, 1).join('\n'), OLD, 'does not make the file it promises');
    refused(text.replace(/\n+$/, '\n'), OLD, 'cut off');
    refused(`${lines.slice(0, first - 1).join('\n')}\n`, OLD, 'must follow');
  });

  test('one without the bytes or the full hashes says how to make it', () => {
    refused(diff(OLD, OTHER, '--full-index'), OLD, 'git diff --binary');
    refused(
      diff(OLD, OTHER).replace(/^index (.{7}).*\.\.(.{7}).*$/m, 'index $1..$2 100644'),
      OLD,
      'git diff --binary',
    );
  });

  test('a bomb is not inflated', () => {
    const parsed = parsePatch(diff(OLD, OTHER));
    const [file] = parsed;
    if (!file?.binary) throw new Error('no binary patch');
    const bomb = { ...file.binary, deflated: deflateSync(Buffer.alloc(10_000_000)) };
    for (const size of [500, 2 ** 33])
      expect(() =>
        patchTree([{ ...file, binary: { ...bomb, size } }], () => ({
          text: OLD.toString('latin1'),
          mode: 0o100644,
        })),
      ).toThrow('does not make the file it promises');
  });

  test('a delta that reaches beyond its ends', () => {
    const [file] = parsePatch(diff(OLD, EDITED));
    const binary = file?.binary;
    if (!file || !binary) throw new Error('no binary patch');
    const sizes = [0xa0, 0x9c, 0x01];
    for (const commands of [[0x91, 0xff, 0xff], [0xff, 0xff], [0x05, 1], [0x00], [0x7f], []]) {
      const delta = Buffer.from([...sizes, ...sizes, ...commands]);
      const damaged = {
        ...binary,
        method: 'delta' as const,
        size: delta.length,
        deflated: deflateSync(delta),
      };
      expect(() =>
        patchTree([{ ...file, binary: damaged }], () => ({ text: OLD.toString('latin1'), mode: 0o100644 })),
      ).toThrow('does not make the file it promises');
    }
  });
});

test('text hunks are not applied to bytes, but such a file can be renamed', () => {
  const read = (path: string) => (path === 'x' ? { text: 'a\0\n', mode: 0o100644 } : undefined);
  expect(() => patchTree(parsePatch('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'), read)).toThrow(
    expect.objectContaining({ code: 'ENCODING_ERROR' }),
  );
  const renamed = patchTree(
    parsePatch('diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n'),
    read,
  );
  expect(renamed.map(({ path, after }) => [path, after?.text])).toEqual([
    ['y', 'a\0\n'],
    ['x', undefined],
  ]);
});
