import { expect, test } from 'vitest';
import { type Workbench, workbench } from '../support/workbench.ts';

const piece = 64 * 1024;

type Page = { content: string; start_line: number; end_line: number; has_more: boolean; has_bom: boolean };

async function page(bench: Workbench, start_line?: number, max_lines?: number): Promise<Page> {
  const lines = { ...(start_line && { start_line }), ...(max_lines && { max_lines }) };
  const outcome = await bench.call('read_file', { path: 'a.txt', ...lines });
  if (outcome.status !== 'completed') throw new Error(outcome.error.message);
  return outcome.data as Page;
}

test.each([
  ['lines that end at the border of a piece', [`${'x'.repeat(piece - 1)}\n`, 'two\n', 'three\n']],
  ['a line break on either side of the border', [`${'x'.repeat(piece - 2)}\n`, '\n', '\n', 'end']],
  ['lines longer than a piece', [`${'a'.repeat(3 * piece + 7)}\n`, `${'b'.repeat(2 * piece)}\n`, 'c']],
  [
    'a character across the border',
    [`${'x'.repeat(piece - 1)}€ and on\n`, `${'😀'.repeat(piece / 2)}\n`, 'end\n'],
  ],
  ['every byte a character of four', [`y${'😀'.repeat(piece)}\n`, 'end\n']],
  ['carriage returns', ['a\r\n', 'b\r\n', 'c\r\n']],
  ['a file of exactly one piece', [`${'x'.repeat(piece - 1)}\n`]],
  ['blank lines', ['\n', '\n', '\n']],
  ['no final newline', ['a\n', 'b']],
])('pages joined are the file, and has_more is exact: %s', async (_name, lines) => {
  await using bench = await workbench({ files: { 'a.txt': lines.join('') } });
  for (const count of [1, 2, lines.length, lines.length + 1]) {
    const pages: Page[] = [];
    for (let first = 1; ; first += count) {
      pages.push(await page(bench, first, count));
      if (!pages.at(-1)?.has_more) break;
    }
    expect(pages.map((page) => page.content)).toEqual(
      Array.from({ length: Math.ceil(lines.length / count) }, (_, i) =>
        lines.slice(i * count, (i + 1) * count).join(''),
      ),
    );
    expect(pages.map((page) => [page.start_line, page.end_line])).toEqual(
      pages.map((_, i) => [i * count + 1, Math.min((i + 1) * count, lines.length)]),
    );
  }
  expect((await page(bench, 1)).content).toBe(lines.join(''));
  expect(await page(bench, lines.length + 1)).toMatchObject({ content: '', start_line: 0, has_more: false });
});

test('a byte order mark belongs to the file: no page shows it, and no other U+FEFF is taken for one', async () => {
  await using bench = await workbench({ files: { 'a.txt': '\ufeffone\n\ufefftwo\n' } });
  expect(await page(bench, 1, 1)).toMatchObject({ content: 'one\n', has_bom: true });
  expect(await page(bench, 2, 1)).toMatchObject({ content: '\ufefftwo\n', has_bom: true });
});

test('a U+FEFF that begins a later line is no byte order mark', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one\n\ufefftwo\n' } });
  expect(await page(bench, 2)).toMatchObject({ content: '\ufefftwo\n', has_bom: false });
});

test('only the wanted page has to be text', async () => {
  await using bench = await workbench({ files: { 'a.txt': Buffer.from('one\ntwo\xff\nthree\n', 'latin1') } });
  expect(await page(bench, 3, 1)).toMatchObject({ content: 'three\n' });
  await expect(page(bench, 2, 1)).rejects.toThrow('not valid UTF-8');
});
