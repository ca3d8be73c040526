// Pairs of trees whose difference exercises every part of a git diff, each with the options to diff them with.
import type { Tree } from './apply-to-tree.ts';
import { mutateText } from './mutate-text.ts';
import { createRandom, type Random } from './random.ts';
import { realPairs, realTexts, type TextPair } from './real-texts.ts';

export type GitCase = { id: string; before: Tree; after: Tree; options: readonly string[] };

/** Each pair of files from two releases once, and the requested number of generated changes. */
export function gitCases({ made }: { made: number }): GitCase[] {
  const texts = realTexts();
  const released = realPairs().map(
    (pair, index): GitCase => ({ id: pair.name, ...release(pair), options: optionsAt(index) }),
  );
  const others = Array.from({ length: made }, (_, index): GitCase => {
    const random = createRandom(1_000 + index);
    const make = MAKERS[index % MAKERS.length] ?? edits;
    return { id: `c${index}`, ...make({ random, texts, index }), options: optionsAt(index) };
  });
  return [...released, ...others];
}

function optionsAt(index: number): readonly string[] {
  return OPTIONS[index % OPTIONS.length] ?? [];
}

const OPTIONS: readonly (readonly string[])[] = [
  [],
  ['-U0'],
  ['-U1'],
  ['-M'],
  ['-U0', '-M'],
  ['-C', '--find-copies-harder'],
  ['--no-prefix'],
  ['--patience'],
  ['-U10', '-M20%'],
  ['--histogram', '-U2'],
  ['-B', '-M'],
  ['--minimal', '--full-index'],
  ['-W'],
  ['--no-renames', '-U3'],
  ['--inter-hunk-context=5', '-U1'],
  ['-M', '--no-prefix', '-U1'],
  ['-R', '-M'],
];

type Trees = { before: Tree; after: Tree };
type Source = {
  random: Random;
  texts: readonly string[];
  index: number;
};

const PLAIN = 0o100644;
const EXECUTABLE = 0o100755;
const NAMES = [
  'two words.txt',
  'ünïcödé/日本語.md',
  'q"uo\'te.ts',
  'tab\there',
  'back\\slash',
  'new\nline',
  ' lead',
  'trail ',
  'null',
  'dev/null',
  'a/b/b/a.ts',
  'b/x',
  '\u{1f600}\u2028.js',
  '-- a',
  '@@ -1 +1 @@',
];

function release(pair: TextPair): Trees {
  const trees = emptyTrees();
  addPair(trees, pair.name, pair.before, pair.after);
  return trees;
}

function edits(source: Source): Trees {
  const trees = emptyTrees();
  for (let file = 0; file <= source.random.below(4); file++) {
    const text = anyText(source);
    addPair(trees, `src/${file}.ts`, text, edited(source, text));
  }
  return trees;
}

function moves(source: Source): Trees {
  const trees = emptyTrees();
  const { before, after } = trees;
  const [moved = '', copied = '', deletedText = '', keptText = ''] = [1, 2, 3, 4].map(() => anyText(source));
  const isEdited = source.random.chance(0.6);
  before.set('old/name.ts', { text: moved, mode: PLAIN });
  after.set('new/place/name.ts', { text: isEdited ? edited(source, moved) : moved, mode: PLAIN });
  addPair(trees, 'copied.js', copied, source.random.chance(0.5) ? edited(source, copied) : copied);
  after.set('copy.js', { text: isEdited ? edited(source, copied) : copied, mode: PLAIN });
  before.set('gone.md', { text: deletedText, mode: source.random.chance(0.3) ? EXECUTABLE : PLAIN });
  after.set('come.md', { text: anyText(source), mode: source.random.chance(0.3) ? EXECUTABLE : PLAIN });
  before.set('run', { text: keptText, mode: PLAIN });
  after.set('run', { text: isEdited ? edited(source, keptText) : keptText, mode: EXECUTABLE });
  before.set('empty-gone', { text: '', mode: PLAIN });
  after.set('empty-come', { text: '', mode: EXECUTABLE });
  addPair(trees, 'filled', '', 'now\n');
  addPair(trees, 'emptied', 'before\n', '');
  return trees;
}

function names(source: Source): Trees {
  const trees = emptyTrees();
  for (let file = 0; file < 4; file++) {
    const name = NAMES[(source.index + file * 4) % NAMES.length] ?? 'x';
    const text = anyText(source);
    addPair(trees, name, text, edited(source, text));
  }
  const renamed = NAMES[source.index % NAMES.length] ?? 'x';
  const text = anyText(source);
  trees.before.set(`from ${renamed}`, { text, mode: PLAIN });
  trees.after.set(`to ${renamed}`, { text: edited(source, text), mode: PLAIN });
  trees.after.set(`made ${renamed}`, { text: 'new\n', mode: PLAIN });
  trees.before.set(`lost ${renamed}`, { text: 'old', mode: PLAIN });
  return trees;
}

/** CRLF, mixed, lone CR, and every way the last newline comes and goes. */
function endings(source: Source): Trees {
  const { random } = source;
  const trees = emptyTrees();
  const crlf = anyText(source).replaceAll('\n', '\r\n');
  addPair(trees, 'crlf.txt', crlf, edited(source, crlf));
  const mixed = anyText(source).replace(/\n/g, () => random.pick(['\n', '\r\n', '\r', '\f\n']));
  addPair(trees, 'mixed.txt', mixed, edited(source, mixed));
  const withoutEnd = anyText(source).replace(/\n+$/, '');
  addPair(trees, 'converted.txt', `${withoutEnd}\n`, `${withoutEnd}\n`.replaceAll('\n', '\r\n'));
  for (const [number, [before, after]] of [
    ['', '\n'],
    ['\n', ''],
    ['', '\nmore'],
    ['\n', '\nmore'],
    ['\nless', ''],
    ['\nless\n', ''],
  ].entries())
    addPair(trees, `end-${number}`, withoutEnd + before, withoutEnd + after);
  addPair(trees, 'both', withoutEnd, `first\n${withoutEnd}`);
  return trees;
}

const MAKERS = [edits, moves, names, endings];

function emptyTrees(): Trees {
  return { before: new Map(), after: new Map() };
}

function addPair({ before, after }: Trees, path: string, oldText: string, newText: string): void {
  before.set(path, { text: oldText, mode: PLAIN });
  after.set(path, { text: newText, mode: PLAIN });
}

function anyText({ texts, random }: Source): string {
  return texts[random.below(texts.length)] ?? '';
}

function edited(source: Source, text: string): string {
  return mutateText(text, source.random, anyText(source));
}
