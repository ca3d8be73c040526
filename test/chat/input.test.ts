// Typing: the keys of a line editor, pastes, completion, and how all of it is drawn.
import type { Key } from 'node:readline';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Draft,
  draftText,
  emptyDraft,
  insert,
  paste,
  toDraft,
} from '../../apps/cli/src/chat/input/draft.ts';
import { editDraft } from '../../apps/cli/src/chat/input/edit-draft.ts';
import {
  applyKey,
  type PromptSources,
  promptWith,
  submittedDraft,
  suggestionsFor,
} from '../../apps/cli/src/chat/input/input-line.ts';
import { renderFrame } from '../../apps/cli/src/chat/screen/render-frame.ts';
import { displayWidth } from '../../apps/cli/src/output/text-width.ts';

const ctrl = (name: string): Key => ({ name, ctrl: true });
const alt = (name: string): Key => ({ name, meta: true });
const key = (name: string): Key => ({ name });

describe('a line', () => {
  test.each<[string, string, Key[], string]>([
    ['Ctrl-A and Ctrl-E', 'two|', [ctrl('a'), text('x'), ctrl('e'), text('y')], 'xtwoy|'],
    [
      'Home and End stay in their line',
      'a\nbc|\nd',
      [key('home'), text('x'), key('end'), text('y')],
      'a\nxbcy|\nd',
    ],
    ['Ctrl-U cuts to the beginning', 'one two| three', [ctrl('u')], '| three'],
    [
      'Ctrl-K cuts to the end, Ctrl-Y brings it again',
      'one| two',
      [ctrl('k'), ctrl('a'), ctrl('y')],
      ' two|one',
    ],
    ['Ctrl-W cuts a word with its signs', 'look at src/a.ts |', [ctrl('w')], 'look at |'],
    ['Alt-Backspace cuts up to a sign', 'look at src/a.ts|', [alt('backspace')], 'look at src/a.|'],
    ['Alt-arrows go by words', 'one two three|', [alt('left'), alt('left'), alt('right')], 'one two| three'],
    ['Backspace takes a whole emoji', 'a👩‍💻|', [key('backspace')], 'a|'],
    ['Delete takes what follows', '|äb', [key('delete')], '|b'],
    ['Alt-Enter begins a line', 'a|b', [alt('return')], 'a\n|b'],
  ])('%s', (_what, before, keys, after) => {
    const draft = keys.reduce((now, key) => editDraft(now, key) ?? now, parse(before));
    expect(`${draft.text.slice(0, draft.cursor)}|${draft.text.slice(draft.cursor)}`).toBe(after);
  });

  test('the cursor is always between two whole characters', () => {
    const names = ['left', 'right', 'home', 'end', 'backspace', 'delete'].map(key);
    const moves = fc.constantFrom(
      ...names,
      ctrl('w'),
      ctrl('k'),
      ctrl('u'),
      ctrl('y'),
      alt('left'),
      alt('right'),
      alt('d'),
    );
    const typed = fc.oneof(moves, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).map(text));
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 60 }), (keys) => {
        let draft = emptyDraft;
        for (const key of keys) {
          draft = editDraft(draft, key) ?? draft;
          expect(draft.cursor).toBeGreaterThanOrEqual(0);
          expect(draft.cursor).toBeLessThanOrEqual(draft.text.length);
          expect(draft.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('a paste', () => {
  const long = 'one\ntwo\nthree\nfour\nfive\n';

  test('that is long stands as one sign, is sent whole and goes with one Backspace', () => {
    const draft = insert(paste(insert(emptyDraft, 'see '), long.replaceAll('\n', '\r')), ' ok');
    expect(lines(draft)).toContain('❯ see [pasted 5 lines] ok');
    expect(draftText(draft)).toBe(`see ${long} ok`);
    const back = [...' ok', 'x'].reduce((now) => editDraft(now, key('backspace')) ?? now, draft);
    expect(draftText(back)).toBe('see ');
  });

  test('that is short is text like any other', () => {
    expect(paste(emptyDraft, 'a\r\nb')).toMatchObject({ text: 'a\nb', pastes: [] });
  });

  test('can not be forged by typing its sign', () => {
    const draft = paste(paste(emptyDraft, long), '\u{f0000}');
    expect(draftText(draft)).toBe(`${long}\ufffd`);
  });
});

describe('completion', () => {
  const sources: PromptSources = {
    commands: [
      { name: 'help', words: '', summary: 'this list' },
      { name: 'mode', words: '[MODE]', summary: 'mode' },
      { name: 'model', words: '[NAME]', summary: 'model' },
    ],
    paths: ['docs/', 'docs/my notes.md', 'src/', 'src/cart.js', 'test/cart.test.js'],
    history: ['first', 'second'],
  };
  const type = (typed: string, ...keys: Key[]) =>
    keys.reduce((now, key) => applyKey(now, key, sources) ?? now, promptWith(toDraft(typed)));

  test('of a file: Tab takes the best, arrows choose another', () => {
    expect(suggestionsFor(type('see @cart'), sources).map(({ label }) => label)).toEqual([
      'src/cart.js',
      'test/cart.test.js',
    ]);
    expect(type('see @cart', key('tab')).draft.text).toBe('see @src/cart.js ');
    expect(type('see @cart', key('down'), key('return')).draft.text).toBe('see @test/cart.test.js ');
    expect(type('@my', key('tab')).draft.text).toBe('@"docs/my notes.md" ');
    expect(type('@doc', key('tab')).draft.text).toBe('@docs/');
    expect(suggestionsFor(type('mail me@cart'), sources)).toEqual([]);
  });

  test('of a command: its beginning is enough, a whole one is never replaced', () => {
    expect(submittedDraft(type('/he'), sources).text).toBe('/help');
    expect(submittedDraft(type('/mode'), sources).text).toBe('/mode');
    expect(submittedDraft(type('/mode', key('down')), sources).text).toBe('/model ');
    expect(submittedDraft(type('/zzz'), sources).text).toBe('/zzz');
    expect(submittedDraft(type('/model demo'), sources).text).toBe('/model demo');
  });

  test('Escape shuts it; then the arrows go through the history and back', () => {
    const shut = type('/he', key('escape'));
    expect(suggestionsFor(shut, sources)).toEqual([]);
    const up = applyKey(shut, key('up'), sources);
    expect(up?.draft.text).toBe('second');
    expect(type('draft', key('up'), key('up'), key('up')).draft.text).toBe('first');
    expect(type('draft', key('up'), key('up'), key('down'), key('down')).draft.text).toBe('draft');
  });

  test('Ctrl-R looks for what was typed before', () => {
    const history = ['npm test', 'fix the cart', 'npm run build', 'fix the tests'];
    const search = (...keys: Key[]) =>
      keys.reduce(
        (now, key) => applyKey(now, key, { ...sources, history }) ?? now,
        promptWith(toDraft('half')),
      );
    expect(search(ctrl('r')).draft.text).toBe('half');
    expect(search(ctrl('r'), text('f'), text('i')).draft.text).toBe('fix the tests');
    expect(search(ctrl('r'), text('fix'), ctrl('r')).draft.text).toBe('fix the cart');
    expect(search(ctrl('r'), text('fix'), ctrl('r'), ctrl('r')).draft.text).toBe('fix the cart');
    expect(search(ctrl('r'), text('fix'), ctrl('r'), ctrl('s')).draft.text).toBe('fix the tests');
    expect(search(ctrl('r'), text('NPM'), key('return'))).toEqual(promptWith(toDraft('npm run build')));
    expect(search(ctrl('r'), text('npm'), ctrl('a'), text('x')).draft.text).toBe('xnpm run build');
    expect(search(ctrl('r'), text('npm'), key('escape')).draft.text).toBe('half');
    const none = search(ctrl('r'), text('zzz'));
    expect([none.draft.text, none.search?.isFound]).toEqual(['half', false]);
    expect(search(ctrl('r'), text('zzz'), key('return')).draft.text).toBe('half');
  });

  test('a backslash at the end begins a line', () => {
    expect(type('one\\', key('return')).draft.text).toBe('one\n');
    expect(applyKey(type('one\\\\'), key('return'), sources)).toBeUndefined();
  });
});

test('the frame fits the window, whatever is typed and whatever goes on', () => {
  const size = fc.record({
    columns: fc.integer({ min: 24, max: 120 }),
    rows: fc.integer({ min: 7, max: 50 }),
  });
  const typed = fc.string({ unit: 'binary', maxLength: 400 });
  fc.assert(
    fc.property(
      size,
      typed,
      fc.array(fc.constant('live'), { maxLength: 80 }),
      fc.nat(400),
      ({ columns, rows }, text, live, at) => {
        const draft = toDraft(text);
        const cursor = Math.min(at, draft.text.length);
        const frame = renderFrame(
          { ...view, live, draft: { ...draft, cursor } },
          { columns, rows },
          (_style, styled) => styled,
        );
        const { cursor: shown, lines } = frame;
        const isInside = lines.length < rows && shown.row < lines.length && shown.column < columns;
        const bad = lines.filter((line) => displayWidth(line) >= columns || /\p{Cc}/u.test(line));
        expect({ fits: isInside, bad }).toEqual({ fits: true, bad: [] });
      },
    ),
  );
});

const status = {
  model: 'openai/a-model-with-a-long-name',
  profile: 'build',
  mode: 'strict' as const,
  tokens: 12_345,
  cost: 0.0123,
  context: 0.5,
  branch: 'feature/a-long-branch',
  changes: { added: 12, removed: 3 },
};
const view = {
  queue: ['next', 'and', 'so', 'on', 'and', 'on'].map((text) => ({ text, when: 'step' as const })),
  heldTool: 'run_command',
  notice: '',
  suggestions: Array.from({ length: 20 }, (_, i) => ({
    label: `/command-${i}`,
    hint: 'it does something',
    from: 0,
    text: '',
  })),
  selected: 12,
  search: undefined,
  status: { ...status, doing: '⠋ thinking 12s · Esc cancels' },
};

function lines(draft: Draft): readonly string[] {
  return renderFrame({ ...view, live: [], draft }, { columns: 80, rows: 30 }, (_style, styled) => styled)
    .lines;
}

function text(sequence: string): Key {
  return { sequence };
}

function parse(marked: string): Draft {
  return { ...emptyDraft, text: marked.replace('|', ''), cursor: marked.indexOf('|') };
}
