// Colours of diffs: each side by its own grammar, across lines, and never where they would cost too much.
import type { DiffHunk } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { paintHunk } from './paint-hunk.ts';

const hunk = (...lines: string[]): DiffHunk => ({
  oldStart: 1,
  oldLines: lines.filter((line) => !line.startsWith('+')).length,
  newStart: 1,
  newLines: lines.filter((line) => !line.startsWith('-')).length,
  section: '',
  lines,
});

/** Line by line: what has a colour, and which. */
async function paint(of: DiffHunk, path = 'a.ts'): Promise<string[]> {
  let pauses = 0;
  const painted = await paintHunk(of, path, async () => {
    pauses++;
    if (pauses > 1_000) throw new Error('it never ends');
  });
  return [...painted].map(([{ sign, text }, strokes]) => {
    const parts = strokes.map(
      ({ from, to, className }) => `${text.slice(from, to)}:${className.replace('text-syntax-', '')}`,
    );
    return `${sign} ${parts.join(' ')}`;
  });
}

test('each side is read by itself, and a comment over lines is one in each of them', async () => {
  expect(await paint(hunk(' /* one', '-two */ old();', '+two */ const fresh = "x" + 1;', ' end();'))).toEqual(
    [
      '  /* one:comment',
      '- two */:comment old:function',
      '  end:function',
      '+ two */:comment const:keyword "x":string 1:number',
    ],
  );
});

test('a name without a grammar, a long hunk and a long line stay plain', async () => {
  expect(await paint(hunk('+const a = 1;'), 'a.unknown')).toEqual([]);
  expect(await paint(hunk(...Array.from({ length: 2_001 }, () => '+let a;')))).toEqual([]);
  expect(await paint(hunk(`+const a = "${'x'.repeat(3_000)}";`, '+let b;'))).toEqual(['+ let:keyword']);
});

test('a hunk that ends in the middle of everything has colours too', async () => {
  expect(await paint(hunk('+const a = `${b'))).toEqual(['+ const:keyword `:string']);
});
