import { diffLines } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FilePatch, PatchHunk } from './file-patch.ts';
import { formatPatch } from './format-patch.ts';
import { parsePatch } from './parse/parse-patch.ts';
import { hunksFrom, splitAtLineFeeds } from './unified-diff.ts';

const hunk = { oldStart: 3, oldLines: 1, newStart: 3, newLines: 2, lines: ['-a', '+b', '+c'] };

test('writes headers and hunks as git does', () => {
  const files: FilePatch[] = [
    { oldPath: 'my dir/x', newPath: 'my dir/x', operation: 'update', hunks: [{ ...hunk, section: 'f() {' }] },
    { oldPath: 'é', newPath: 'b', operation: 'rename', hunks: [] },
    { oldPath: null, newPath: 'run', operation: 'create', newMode: 0o100755, hunks: [] },
  ];
  expect(formatPatch(files)).toBe(
    'diff --git a/my dir/x b/my dir/x\n--- a/my dir/x\t\n+++ b/my dir/x\t\n@@ -3 +3,2 @@ f() {\n-a\n+b\n+c\n' +
      'diff --git "a/\\303\\251" b/b\nsimilarity index 100%\nrename from "\\303\\251"\nrename to b\n' +
      'diff --git a/run b/run\nnew file mode 100755\nindex 0000000..e69de29\n',
  );
  expect(formatPatch([])).toBe('');
});

test('what is written reads back the same', () => {
  fc.assert(
    fc.property(fc.array(filePatch, { minLength: 1, maxLength: 4 }), (files) => {
      expect(parsePatch(formatPatch(files))).toEqual(files);
    }),
    { numRuns: 1_000 },
  );
});

test('a patch that is cut after any line is refused, or holds the first files and hunks of the whole', () => {
  fc.assert(
    fc.property(
      fc.array(filePatch, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.boolean(),
      (files, cut, isHalf) => {
        const lines = formatPatch(files).split(/(?<=\n)/);
        const start = lines.slice(0, cut % lines.length).join('');
        const found = parsedOrNull(isHalf ? start.slice(0, -1) : start);
        if (found !== null) expect(withoutLastMark(found)).toEqual(withoutLastMark(firstOf(files, found)));
      },
    ),
    { numRuns: 1_000 },
  );
});

const texts = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\\', '-', '\n', '\n', '\r\n', '\r'),
  maxLength: 60,
});
const path = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('a', '/', ' ', '"', '\\', '\r', '\u2028'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 12,
  })
  .filter((name) => !name.includes('\0'));
const mode = fc.constantFrom(0o100644, 0o100755);
const section = fc.option(
  fc.string({ minLength: 1 }).filter((line) => !line.includes('\n')),
  { nil: undefined },
);

const filePatch: fc.Arbitrary<FilePatch> = fc
  .record({
    operation: fc.constantFrom('create', 'delete', 'update', 'rename', 'copy'),
    paths: fc.tuple(path, path),
    modes: fc.option(fc.tuple(mode, mode)),
    sides: fc.tuple(texts, texts),
    section,
    context: fc.constantFrom(0, 1, 3),
  })
  .map(
    ({
      operation,
      paths: [oldPath, newPath],
      modes,
      sides: [before, after],
      section,
      context,
    }): FilePatch => {
      const hunks = (a: string, b: string) =>
        hunksOf(a, b, context).map((hunk) => ({ ...hunk, ...(section && { section }) }));
      const [oldMode, newMode] = modes ?? [];
      const changed = oldMode === undefined || newMode === undefined ? {} : { oldMode, newMode };
      switch (operation) {
        case 'create':
          return { oldPath: null, newPath, operation, newMode: newMode ?? 0o100644, hunks: hunks('', after) };
        case 'delete':
          return {
            oldPath,
            newPath: null,
            operation,
            oldMode: oldMode ?? 0o100644,
            hunks: hunks(before, ''),
          };
        case 'update':
          return { oldPath, newPath: oldPath, operation, ...changed, hunks: hunks(before, `${after}.`) };
        default:
          return {
            oldPath,
            newPath: `${oldPath}${newPath}`,
            operation,
            ...changed,
            hunks: hunks(before, after),
          };
      }
    },
  );

function hunksOf(before: string, after: string, context: number): PatchHunk[] {
  const oldLines = splitAtLineFeeds(before);
  const newLines = splitAtLineFeeds(after);
  return hunksFrom(oldLines, newLines, diffLines(oldLines, newLines), context);
}

function parsedOrNull(text: string): FilePatch[] | null {
  try {
    return parsePatch(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'PATCH_APPLY_FAILED' });
    return null;
  }
}

/** The given number of files, and of the last file the given number of hunks. */
function firstOf(files: readonly FilePatch[], found: readonly FilePatch[]): FilePatch[] {
  const complete = files.slice(0, found.length);
  const last = complete.at(-1);
  const hunks = last?.hunks.slice(0, found.at(-1)?.hunks.length);
  return last && hunks ? [...complete.slice(0, -1), { ...last, hunks }] : complete;
}

/** Nothing announces the mark of a missing newline, so a patch cut right before the mark looks complete. */
function withoutLastMark(files: readonly FilePatch[]): FilePatch[] {
  const copy = structuredClone([...files]);
  const lines = copy.at(-1)?.hunks.at(-1)?.lines;
  if (lines?.at(-1)?.startsWith('\\')) lines.pop();
  return copy;
}
