import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Inline } from './emphasis.ts';
import { picturePath } from './file-links.ts';
import { honestText } from './honest-text.ts';
import { parseBlock } from './parse-block.ts';
import { parseInline } from './parse-inline.ts';
import { splitBlocks } from './split-blocks.ts';

const parse = (text: string) => splitBlocks(text).flatMap((block) => parseBlock(block));

describe('blocks', () => {
  test('are read as they are written', () => {
    expect(parse('# Title\ntext\n\n---\n\n> quoted\n> more')).toEqual([
      { type: 'heading', level: 1, text: 'Title' },
      { type: 'paragraph', text: 'text' },
      { type: 'rule' },
      { type: 'quote', blocks: [{ type: 'paragraph', text: 'quoted\nmore' }] },
    ]);
  });

  test('code keeps every character, also blank lines and what looks like Markdown', () => {
    expect(parse('```ts\n# no\n\n- no\n```\nafter')).toEqual([
      { type: 'code', language: 'ts', text: '# no\n\n- no', isClosed: true },
      { type: 'paragraph', text: 'after' },
    ]);
  });

  test('code that is still being written is not closed', () => {
    expect(parse('```\nlet a')).toEqual([{ type: 'code', language: '', text: 'let a', isClosed: false }]);
  });

  test('lists nest, count from their number, and know tasks', () => {
    expect(parse('3. three\n   - inner\n4. four')).toEqual([
      {
        type: 'list',
        isOrdered: true,
        start: 3,
        items: [
          {
            isDone: undefined,
            blocks: [
              { type: 'paragraph', text: 'three' },
              {
                type: 'list',
                isOrdered: false,
                start: 1,
                items: [{ isDone: undefined, blocks: [{ type: 'paragraph', text: 'inner' }] }],
              },
            ],
          },
          { isDone: undefined, blocks: [{ type: 'paragraph', text: 'four' }] },
        ],
      },
    ]);
    expect(parse('- [x] done\n- [ ] open')).toMatchObject([{ items: [{ isDone: true }, { isDone: false }] }]);
  });

  test('tables have a head and rows', () => {
    expect(parse('| a | b | c |\n|---|--:|:-:|\n| 1 | x \\| y | z |')).toEqual([
      {
        type: 'table',
        head: ['a', 'b', 'c'],
        rows: [['1', 'x | y', 'z']],
        aligns: ['left', 'right', 'center'],
      },
    ]);
  });
});

test('formulas stand alone or in a line, and a table may follow its sentence at once', () => {
  expect(parse('So:\n$$\nx = a\n- b\n$$\nand\n\n\\[\ny\n\\]')).toEqual([
    { type: 'paragraph', text: 'So:' },
    { type: 'math', source: 'x = a\n- b' },
    { type: 'paragraph', text: 'and' },
    { type: 'math', source: 'y' },
  ]);
  expect(parse('$$\nnever closed')).toEqual([{ type: 'paragraph', text: '$$\nnever closed' }]);
  expect(parse('These:\n| a |\n|---|\n| 1 |')).toMatchObject([{ type: 'paragraph' }, { type: 'table' }]);
  expect(parseInline('$x^2$ and \\(y\\), not $5 or $10, $HOME/$PATH')).toEqual([
    { type: 'math', source: 'x^2', isBlock: false },
    { type: 'text', text: ' and ' },
    { type: 'math', source: 'y', isBlock: false },
    { type: 'text', text: ', not $5 or $10, $HOME/$PATH' },
  ]);
});

describe('inline', () => {
  test.each([
    ['***both***', '<em><strong>both'],
    ['***both** em*', '<em><strong>both</strong> em'],
    ['*em **strong***', '<em>em <strong>strong'],
    ['**strong *em***', '<strong>strong <em>em'],
    ['**a `*` b**', '<strong>a `*` b'],
    ['**重点：**内容', '<strong>重点：</strong>内容'],
    ['*(**b**)*', '<em>(<strong>b</strong>)'],
    ['** no ** and a_b_c', '** no ** and a_b_c'],
  ])('%s is emphasised as it is meant', (text, expected) => {
    expect(spell(parseInline(text)).replace(/(?:<\/\w+>)+$/, '')).toBe(expected);
  });

  test('emphasis, code and links', () => {
    expect(parseInline('a **b** _c_ `d*` [e](https://x.org/y)')).toEqual([
      { type: 'text', text: 'a ' },
      { type: 'strong', inner: [{ type: 'text', text: 'b' }] },
      { type: 'text', text: ' ' },
      { type: 'em', inner: [{ type: 'text', text: 'c' }] },
      { type: 'text', text: ' ' },
      { type: 'code', text: 'd*' },
      { type: 'text', text: ' ' },
      { type: 'link', href: 'https://x.org/y', inner: [{ type: 'text', text: 'e' }] },
    ]);
  });

  test('pictures of the workspace are pictures, those of other hosts links, and a badge is its words', () => {
    const words = (text: string): Inline[] => [{ type: 'text', text }];
    expect(parseInline('![a](docs/a.png "Title")![b](<my file.png>)')).toEqual([
      { type: 'image', source: 'docs/a.png', label: 'a' },
      { type: 'image', source: 'my file.png', label: 'b' },
    ]);
    expect(parseInline('![c](https://x.org/c.png)')).toEqual([
      { type: 'link', href: 'https://x.org/c.png', inner: words('c') },
    ]);
    expect(parseInline('[![CI](https://x.org/ci.svg)](https://x.org/run)')).toEqual([
      { type: 'link', href: 'https://x.org/run', inner: words('CI') },
    ]);
  });

  test('names with underscores and sums with stars stay text', () => {
    const text = 'call my_long_name and 2 * 3 * 4';
    expect(parseInline(text)).toEqual([{ type: 'text', text }]);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    '//evil.org',
    'file:///etc/passwd',
    ' javascript:alert(1)',
  ])('%s never becomes a link', (address) => {
    expect(JSON.stringify(parseInline(`[click](${address}) <${address}>`))).not.toContain('"link"');
  });
});

describe('laws', () => {
  const soup = fc.string({
    unit: fc.constantFrom(...'*_`[]()<>~\\\n# -|>1.!h:/', 'https://a.b', 'word ', '```', '\n\n', '  '),
    maxLength: 400,
  });

  test('no text makes it fail, and every link leads to the web', () => {
    fc.assert(
      fc.property(soup, (text) => {
        for (const link of linksOf(parseInline(text))) expect(link).toMatch(/^https?:\/\//);
        parse(text);
      }),
    );
  });

  test('a text that grows leaves all but its last two blocks as they were', () => {
    fc.assert(
      fc.property(soup, soup, (text, more) => {
        const before = splitBlocks(`${text}\n\nx`).slice(0, -2);
        expect(splitBlocks(`${text}\n\nx${more}`).slice(0, before.length)).toEqual(before);
      }),
    );
  });

  test.each(['*', '`', '[', '_', '~~', '<h', '**a', '[a](', '![a](x', '[![a](x)', '> ', '- ', '1. '])(
    'a flood of %s costs no more than its length',
    (part) => {
      const started = performance.now();
      for (const block of parse(part.repeat(20_000))) if ('text' in block) parseInline(block.text);
      expect(performance.now() - started).toBeLessThan(1500);
    },
  );
});

test.each([
  ['docs/a.png', '', 'docs/a.png'],
  ['./a.png', 'docs', 'docs/a.png'],
  ['../img/a%20b.webp?raw=true', 'docs/guide', 'docs/img/a b.webp'],
  ['/img/a.gif', 'docs', 'img/a.gif'],
  ['/home/me/shop/img/a.svg', '', 'img/a.svg'],
  ['../a.png', '', undefined],
  ['docs/../../a.png', '', undefined],
  ['//evil.org/a.png', '', undefined],
  ['file:///a.png', '', undefined],
  ['C:\\a.png', '', undefined],
  ['.env', '', undefined],
])('the picture %s in the folder "%s" is the file %s', (source, folder, path) => {
  expect(picturePath(source, { folder, root: '/home/me/shop' })).toBe(path);
});

test('what would turn or hide prose is shown, emoji stay', () => {
  expect(honestText('a\u202eb\u0007 👨‍👩‍👧 ✔️\r\n\tc')).toBe('a⟨U+202E⟩b⟨U+0007⟩ 👨‍👩‍👧 ✔️\r\n\tc');
});

function spell(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if ('inner' in part) return `<${part.type}>${spell(part.inner)}</${part.type}>`;
      return part.type === 'code' ? `\`${part.text}\`` : 'text' in part ? part.text : part.type;
    })
    .join('');
}

function linksOf(parts: readonly Inline[]): string[] {
  return parts.flatMap((part) => [
    ...(part.type === 'link' ? [part.href] : []),
    ...('inner' in part ? linksOf(part.inner) : []),
  ]);
}
