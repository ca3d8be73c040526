// The chat's screen text by itself: nothing hidden gets through, nothing is lost, everything fits.
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCodeColours } from '../../apps/cli/src/chat/markdown/code-colours.ts';
import { createMarkdownStream } from '../../apps/cli/src/chat/markdown/markdown-stream.ts';
import { workspaceLinks } from '../../apps/cli/src/chat/markdown/path-links.ts';
import { nearestName } from '../../apps/cli/src/command-line/define-command.ts';
import type { Paint } from '../../apps/cli/src/output/paint.ts';
import { displayWidth } from '../../apps/cli/src/output/text-width.ts';

beforeAll(loadCodeColours);

const noPaint: Paint = (_style, text) => text;
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
      '👨‍👩‍👧‍👦',
      '❤️‍🔥\u200d\u200d',
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
      '  <magenta>const</> a = <yellow>1</>;',
      '  ',
      '  ',
      '    b();',
      'See <underline>docs</><dim> (https://x.y/z)</> or <underline>https://a.b</>, snake_case_name and 2 * 3 * 4.',
      `<dim>${'─'.repeat(60)}</>`,
    ]);
  });

  test('bold and italic are told apart where they meet', () => {
    expect(render('***both***, *em **strong***, **strong *em***\n', { paint: marked })).toEqual([
      '<italic+bold>both</>, <italic>em </><italic+bold>strong</>, <bold>strong </><bold+italic>em</>',
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
        const stream = createMarkdownStream({ columns: () => 60, paint: noPaint });
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
        const stream = createMarkdownStream({ columns: () => columns, paint: noPaint });
        const lines = [...stream.push(parts.join('')), ...stream.partial(), ...stream.end()];
        for (const line of lines) {
          expect(line.replaceAll(/\p{RGI_Emoji}/gv, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        }
      }),
    );
  });

  test('a line without an end stays quick to look at', () => {
    const stream = createMarkdownStream({ columns: () => 80, paint: noPaint });
    const started = performance.now();
    for (let i = 0; i < 2000; i++) {
      stream.push('*a [b _c `'.repeat(10));
      if (i % 20 === 0) stream.partial();
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

test.each([
  ['日本', 4],
  ['e\u0301', 1],
  ['👨‍👩‍👧‍👦', 2],
  ['👩‍💻 a', 4],
  ['🇩🇪', 2],
  ['👍🏽', 2],
  ['⚠', 1],
  ['\x1b[31mred\x1b[39m', 3],
  ['\x1b]8;;file:///a\x07a.ts\x1b]8;;\x07', 4],
])('%j takes %d columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('code has colours by its language; comments and strings may go over lines', () => {
  const code = [
    ['```ts', "export const a = 'x\\'y' + `b", 'still b` // no', '/* one', 'two */ 42', '```'],
    ['```py', 'def f(): # it is', '  return """doc', 'more"""', '```'],
    ['```sh', 'echo "$HOME" # go', "don't stop # or", '```'],
    ['```diff', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b', ' c', '```'],
    ['```nosuch', 'if x', '```'],
  ];
  expect(code.map((lines) => render(`${lines.join('\n')}\n`, { paint: marked }).slice(1))).toEqual([
    [
      "  <magenta>export</> <magenta>const</> a = <green>'x\\'y'</> + <green>`b</>",
      '  <green>still b`</> <dim>// no</>',
      '  <dim>/* one</>',
      '  <dim>two */</> <yellow>42</>',
    ],
    [
      '  <magenta>def</> f(): <dim># it is</>',
      '    <magenta>return</> <green>"""doc</>',
      '  <green>more"""</>',
    ],
    ['  <magenta>echo</> <green>"$HOME"</> <dim># go</>', "  don<green>'</>t stop <dim># or</>"],
    [
      '  <bold>--- a/x</>',
      '  <bold>+++ b/x</>',
      '  <cyan>@@ -1 +1 @@</>',
      '  <red>-a</>',
      '  <green>+b</>',
      '   c',
    ],
    ['  <cyan>if x</>'],
  ]);
});

test('a path that is there is a link to its line, where the terminal shows links', () => {
  const root = join(import.meta.dirname, '../..');
  expect(workspaceLinks(root, { TERM: 'xterm-256color' })).toBeUndefined();
  const linkOf = workspaceLinks(root, { TERM: 'xterm-kitty' });
  const stream = createMarkdownStream({ columns: () => 200, paint: noPaint, linkOf });
  const [line = ''] = stream.push('See `package.json:3`, test/nope.ts:1, ../x.md, and docs/terminal.md.\n');
  const links = line.replaceAll('\x1b', '^');
  expect(links).toMatch(
    /^See \^\]8;;file:\/\/[^/]*\/\S+\/package\.json#3\^\\package\.json:3\^\]8;;\^\\, test\/nope\.ts:1, /,
  );
  expect(stripVTControlCharacters(line)).toBe(
    'See package.json:3, test/nope.ts:1, ../x.md, and docs/terminal.md.',
  );
  expect(links.split('^]8;;file:').length).toBe(3);
});

test('a joined emoji stays whole; what joins nothing is a mark', () => {
  expect(render('| a |\n|---|\n| 👨‍👩‍👧‍👦 b |\n')).toEqual(['a', '────', '👨‍👩‍👧‍👦 b']);
  expect(render('a\u200db ⚠\ufe0f')).toEqual(['a⟨U+200D⟩b ⚠']);
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
  { columns = 100, paint = noPaint }: { columns?: number; paint?: Paint } = {},
): string[] {
  const stream = createMarkdownStream({ columns: () => columns, paint });
  return [...stream.push(text), ...stream.end()];
}
