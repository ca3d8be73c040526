// Typing: the keys of a line editor, pastes, history, completion, and how all of it is drawn.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Key } from 'node:readline';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Draft,
  draftOf,
  emptyDraft,
  insert,
  paste,
  wholeText,
} from '../apps/cli/src/chat/input/draft.ts';
import { editDraft } from '../apps/cli/src/chat/input/edit-draft.ts';
import { openHistory } from '../apps/cli/src/chat/input/history.ts';
import {
  type Around,
  heedKey,
  promptWith,
  sentBy,
  suggestionsFor,
} from '../apps/cli/src/chat/input/prompt-input.ts';
import { frameOf } from '../apps/cli/src/chat/screen/frame-of.ts';
import { displayWidth } from '../apps/cli/src/output/display-width.ts';

const scratch = mkdtempSync(join(tmpdir(), 'codelab-chat-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

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
    const draft = keys.reduce((now, one) => editDraft(now, one) ?? now, parse(before));
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
        for (const one of keys) {
          draft = editDraft(draft, one) ?? draft;
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
    expect(wholeText(draft)).toBe(`see ${long} ok`);
    const back = [...' ok', 'x'].reduce((now) => editDraft(now, key('backspace')) ?? now, draft);
    expect(wholeText(back)).toBe('see ');
  });

  test('that is short is text like any other', () => {
    expect(paste(emptyDraft, 'a\r\nb')).toMatchObject({ text: 'a\nb', pastes: [] });
  });

  test('can not be forged by typing its sign', () => {
    const draft = paste(paste(emptyDraft, long), '\u{f0000}');
    expect(wholeText(draft)).toBe(`${long}\ufffd`);
  });
});

describe('completion', () => {
  const around: Around = {
    commands: [
      { name: 'help', words: '', summary: 'this list' },
      { name: 'mode', words: '[MODE]', summary: 'mode' },
      { name: 'model', words: '[NAME]', summary: 'model' },
    ],
    paths: ['docs/', 'docs/my notes.md', 'src/', 'src/cart.js', 'test/cart.test.js'],
    history: ['first', 'second'],
  };
  const type = (typed: string, ...keys: Key[]) =>
    keys.reduce((now, one) => heedKey(now, one, around) ?? now, promptWith(draftOf(typed)));

  test('of a file: Tab takes the best, arrows choose another', () => {
    expect(suggestionsFor(type('see @cart'), around).map(({ label }) => label)).toEqual([
      'src/cart.js',
      'test/cart.test.js',
    ]);
    expect(type('see @cart', key('tab')).draft.text).toBe('see @src/cart.js ');
    expect(type('see @cart', key('down'), key('return')).draft.text).toBe('see @test/cart.test.js ');
    expect(type('@my', key('tab')).draft.text).toBe('@"docs/my notes.md" ');
    expect(type('@doc', key('tab')).draft.text).toBe('@docs/');
    expect(suggestionsFor(type('mail me@cart'), around)).toEqual([]);
  });

  test('of a command: its beginning is enough, a whole one is never replaced', () => {
    expect(sentBy(type('/he'), around).text).toBe('/help');
    expect(sentBy(type('/mode'), around).text).toBe('/mode');
    expect(sentBy(type('/mode', key('down')), around).text).toBe('/model ');
    expect(sentBy(type('/zzz'), around).text).toBe('/zzz');
    expect(sentBy(type('/model demo'), around).text).toBe('/model demo');
  });

  test('Escape shuts it; then the arrows go through the history and back', () => {
    const shut = type('/he', key('escape'));
    expect(suggestionsFor(shut, around)).toEqual([]);
    const up = heedKey(shut, key('up'), around);
    expect(up?.draft.text).toBe('second');
    expect(type('draft', key('up'), key('up'), key('up')).draft.text).toBe('first');
    expect(type('draft', key('up'), key('up'), key('down'), key('down')).draft.text).toBe('draft');
  });

  test('a backslash at the end begins a line', () => {
    expect(type('one\\', key('return')).draft.text).toBe('one\n');
    expect(heedKey(type('one\\\\'), key('return'), around)).toBeUndefined();
  });
});

describe('history', () => {
  test('lasts, is private, leaves out repeats and what begins with a space', () => {
    const history = openHistory(scratch);
    for (const one of ['one', 'one', ' secret', 'two\nlines', '  ']) history.add(one);
    expect(openHistory(scratch).entries).toEqual(['one', 'two\nlines']);
    const file = join(scratch, 'chat-history.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
  });

  test('a damaged or huge file is cut down to what can be used', () => {
    const file = join(scratch, 'chat-history.jsonl');
    const entries = Array.from(
      { length: 3000 },
      (_, i) => `${JSON.stringify(`entry ${i} ${'x'.repeat(300)}`)}\n`,
    );
    writeFileSync(file, `{broken\n[1]\n${entries.join('')}`);
    const { entries: read } = openHistory(scratch);
    expect(read.length).toBe(1000);
    expect(read.at(-1)).toContain('entry 2999');
    expect(statSync(file).size).toBeLessThan(400_000);
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
        const draft = draftOf(text);
        const cursor = Math.min(at, draft.text.length);
        const frame = frameOf(
          { ...view, live, draft: { ...draft, cursor } },
          { columns, rows },
          (_style, one) => one,
        );
        expect(frame.lines.length).toBeLessThan(rows);
        expect(frame.cursor.row).toBeLessThan(frame.lines.length);
        expect(frame.cursor.column).toBeLessThan(columns);
        for (const line of frame.lines) {
          expect(displayWidth(line)).toBeLessThan(columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
  );
});

const status = {
  model: 'openai/a-model-with-a-long-name',
  profile: 'build',
  mode: 'strict',
  tokens: 12_345,
  cost: 0.0123,
  context: 0.5,
};
const view = {
  queue: ['next', 'and', 'so', 'on', 'and', 'on'],
  held: 'run_command',
  notice: '',
  suggestions: Array.from({ length: 20 }, (_, i) => ({
    label: `/command-${i}`,
    hint: 'it does something',
    from: 0,
    text: '',
  })),
  chosen: 12,
  status: { ...status, doing: '⠋ thinking 12s · Esc cancels' },
};

function lines(draft: Draft): readonly string[] {
  return frameOf({ ...view, live: [], draft }, { columns: 80, rows: 30 }, (_style, one) => one).lines;
}

function text(sequence: string): Key {
  return { sequence };
}

function parse(marked: string): Draft {
  return { ...emptyDraft, text: marked.replace('|', ''), cursor: marked.indexOf('|') };
}
