// Markdown as a tree of blocks and inlines, and the lines that a terminal reads one by one.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMarkdownLine } from './markdown-line.ts';
import { parseMarkdownBlock } from './parse-block.ts';
import { type MarkdownInline, parseMarkdownInline } from './parse-inline.ts';
import { splitMarkdown } from './split-blocks.ts';

const parse = (text: string) => splitMarkdown(text).flatMap((block) => parseMarkdownBlock(block));

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
  expect(parseMarkdownInline('$x^2$ and \\(y\\), not $5 or $10, $HOME/$PATH')).toEqual([
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
    expect(spell(parseMarkdownInline(text)).replace(/(?:<\/\w+>)+$/, '')).toBe(expected);
  });

  test('emphasis, code and links', () => {
    expect(parseMarkdownInline('a **b** _c_ `d*` [e](https://x.org/y)')).toEqual([
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
    const words = (text: string): MarkdownInline[] => [{ type: 'text', text }];
    expect(parseMarkdownInline('![a](docs/a.png "Title")![b](<my file.png>)')).toEqual([
      { type: 'image', source: 'docs/a.png', label: 'a' },
      { type: 'image', source: 'my file.png', label: 'b' },
    ]);
    expect(parseMarkdownInline('![c](https://x.org/c.png)')).toEqual([
      { type: 'link', href: 'https://x.org/c.png', inner: words('c') },
    ]);
    expect(parseMarkdownInline('[![CI](https://x.org/ci.svg)](https://x.org/run)')).toEqual([
      { type: 'link', href: 'https://x.org/run', inner: words('CI') },
    ]);
  });

  test('names with underscores and sums with stars stay text', () => {
    const text = 'call my_long_name and 2 * 3 * 4';
    expect(parseMarkdownInline(text)).toEqual([{ type: 'text', text }]);
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
    expect(JSON.stringify(parseMarkdownInline(`[click](${address}) <${address}>`))).not.toContain('"link"');
  });
});

test('a heading keeps the sign of its last word, and a rule may follow a paragraph at once', () => {
  expect(parse('## About C# ##\ntext\n***\n   # C#')).toEqual([
    { type: 'heading', level: 2, text: 'About C#' },
    { type: 'paragraph', text: 'text' },
    { type: 'rule' },
    { type: 'heading', level: 1, text: 'C#' },
  ]);
});

test('a line with backticks behind its fence is text, and a fence is closed by its own sign', () => {
  expect(parse('```ls``` lists files')).toEqual([{ type: 'paragraph', text: '```ls``` lists files' }]);
  expect(parse('~~~~\n```\n~~~\n~~~~\nafter')).toEqual([
    { type: 'code', language: '', text: '```\n~~~', isClosed: true },
    { type: 'paragraph', text: 'after' },
  ]);
});

test.each([
  ['### Title', { type: 'heading', level: 3, text: 'Title' }],
  [' * * *', { type: 'rule' }],
  ['> > deep', { type: 'quote', text: '> deep' }],
  ['  12) [x] done', { type: 'item', indent: 2, marker: '12)', number: 12, text: '[x] done' }],
  ['      ~~~ TS title', { type: 'fence', indent: 6, mark: '~~~', language: 'TS' }],
  ['#hashtag', { type: 'text', text: '#hashtag' }],
])('the line %j is read by itself', (line, expected) => {
  expect(readMarkdownLine(line)).toEqual(expected);
});

test('a screen may resolve other addresses than those of the web', () => {
  expect(parseMarkdownInline('[a](docs/a.md) <mailto:a@b.c>', (address) => address)).toEqual([
    { type: 'link', href: 'docs/a.md', inner: [{ type: 'text', text: 'a' }] },
    { type: 'text', text: ' ' },
    { type: 'link', href: 'mailto:a@b.c', inner: [{ type: 'text', text: 'mailto:a@b.c' }] },
  ]);
});

describe('laws', () => {
  const soup = fc.string({
    unit: fc.constantFrom(...'*_`[]()<>~\\\n# -|>1.!h:/', 'https://a.b', 'word ', '```', '\n\n', '  '),
    maxLength: 400,
  });

  test('no text makes it fail, and every link leads to the web', () => {
    fc.assert(
      fc.property(soup, (text) => {
        for (const link of linksOf(parseMarkdownInline(text))) expect(link).toMatch(/^https?:\/\//);
        parse(text);
      }),
    );
  });

  test('a text that grows leaves all but its last two blocks as they were', () => {
    fc.assert(
      fc.property(soup, soup, (text, suffix) => {
        const before = splitMarkdown(`${text}\n\nx`).slice(0, -2);
        expect(splitMarkdown(`${text}\n\nx${suffix}`).slice(0, before.length)).toEqual(before);
      }),
    );
  });

  const inLine = ['*', '`', '[', '_', '~~', '<h', '**a', '[a](', '![a](x', '[![a](x)', '> ', '- ', '1. '];
  const inLines = ['---\n', '$$\n', '> a\nb\n', '|a|\n', '# \n', '```\n', '~~~ `\n'];
  test.each([...inLine, ...inLines])('a flood of %j costs no more than its length', (part) => {
    const started = performance.now();
    for (const block of parse(part.repeat(20_000))) if ('text' in block) parseMarkdownInline(block.text);
    expect(performance.now() - started).toBeLessThan(1500);
  });
});

function spell(parts: readonly MarkdownInline[]): string {
  return parts
    .map((part) => {
      if ('inner' in part) return `<${part.type}>${spell(part.inner)}</${part.type}>`;
      return part.type === 'code' ? `\`${part.text}\`` : 'text' in part ? part.text : part.type;
    })
    .join('');
}

function linksOf(parts: readonly MarkdownInline[]): string[] {
  return parts.flatMap((part) => [
    ...(part.type === 'link' ? [part.href] : []),
    ...('inner' in part ? linksOf(part.inner) : []),
  ]);
}
