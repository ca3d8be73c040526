// What the chat puts on a screen, from the text alone: nothing hidden gets through, nothing is lost, everything fits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarkdownStream } from '../apps/cli/src/chat/markdown/markdown-stream.ts';
import { nearestName } from '../apps/cli/src/command-line/define-command.ts';
import { displayWidth } from '../apps/cli/src/output/display-width.ts';
import type { Paint } from '../apps/cli/src/output/paint.ts';

const plain: Paint = (_style, text) => text;
const marked: Paint = (style, text) => `<${[style].flat().join('+')}>${text}</>`;

const markdown = fc.array(
  fc.oneof(
    fc.constantFrom(
      '# ',
      '- ',
      '1. ',
      '> ',
      '```',
      '```ts\n',
      '\n',
      '\n\n',
      '| a | b |\n',
      '|---|--:|\n',
      '**',
      '*',
      '_',
      '`',
      '[x](http://y)',
      '\\',
      '~~',
      '---\n',
      '  ',
      '- [x] ',
      '<https://a.b>',
      '\t',
      '\r\n',
      '日本語',
      '🚀',
      'é',
      '\x1b[2J',
      '\x07',
      '\u202e',
      '\u200b',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constant('word '.repeat(30)),
  ),
  { maxLength: 40 },
);

describe('streamed Markdown', () => {
  test('headings, lists, quotes, code and links read well', () => {
    expect(
      render(
        '# Title\n\nSome **bold**, *soft* and `code`.\n\n- one\n  - [x] two\n2) three\n> said *so*\n\n```ts\nconst a = 1;\n\n\n  b();\n```\nSee [docs](https://x.y/z) or <https://a.b>, snake_case_name and 2 * 3 * 4.\n---\n',
        { paint: marked },
      ),
    ).toEqual([
      '<bold+underline>Title</>',
      '',
      'Some <bold>bold</>, <italic>soft</> and <cyan>code</>.',
      '',
      '• one',
      '  ☑ two',
      '2) three',
      '<dim>▌ </><italic>said </><italic+italic>so</>',
      '',
      '<dim>  ╶ ts</>',
      '  <cyan>const a = 1;</>',
      '  ',
      '  ',
      '  <cyan>  b();</>',
      'See <underline>docs</><dim> (https://x.y/z)</> or <underline>https://a.b</>, snake_case_name and 2 * 3 * 4.',
      `<dim>${'─'.repeat(60)}</>`,
    ]);
  });

  test('a table has columns, and one that is too wide keeps its text', () => {
    const table = '| Name | Much text |\n|:--|--:|\n| a | one two three four five six |\n| bb |  |\nafter\n';
    expect(render(table)).toEqual([
      'Name │                   Much text',
      '─────┼────────────────────────────',
      'a    │ one two three four five six',
      'bb   │',
      'after',
    ]);
    expect(render(table, { columns: 24 })).toEqual([
      'Name │         Much text',
      '─────┼──────────────────',
      'a    │     one two three',
      '     │     four five six',
      'bb   │',
      'after',
    ]);
  });

  test('is the same however it is cut into pieces', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat(200), { maxLength: 20 }), (parts, cuts) => {
        const text = parts.join('');
        const stream = createMarkdownStream({ columns: () => 60, paint: plain });
        const lines: string[] = [];
        let rest = text;
        for (const cut of cuts) {
          lines.push(...stream.push(rest.slice(0, cut)));
          stream.partial();
          rest = rest.slice(cut);
        }
        lines.push(...stream.push(rest), ...stream.end());
        expect(lines).toEqual(render(text, { columns: 60 }));
      }),
    );
  });

  test('no control character gets through, and every line fits', () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 30, max: 120 }), (parts, columns) => {
        const stream = createMarkdownStream({ columns: () => columns, paint: plain });
        const lines = [...stream.push(parts.join('')), ...stream.partial(), ...stream.end()];
        for (const line of lines) {
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        }
      }),
    );
  });

  test('a line without an end stays quick to look at', () => {
    const stream = createMarkdownStream({ columns: () => 80, paint: plain });
    const started = performance.now();
    for (let i = 0; i < 2000; i++) {
      stream.push('*a [b _c `'.repeat(10));
      if (i % 20 === 0) stream.partial();
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

test.each([
  ['hepl', 'help'],
  ['mod', 'model'],
  ['tool', 'tools'],
  ['sesions', 'sessions'],
  ['xyzzy', undefined],
  ['', undefined],
])('for %j the nearest name is %j', (typed, near) => {
  expect(nearestName(typed, ['help', 'model', 'mode', 'tools', 'sessions'])).toBe(near);
});

function render(
  text: string,
  { columns = 100, paint = plain }: { columns?: number; paint?: Paint } = {},
): string[] {
  const stream = createMarkdownStream({ columns: () => columns, paint });
  return [...stream.push(text), ...stream.end()];
}
