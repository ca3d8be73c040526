// Ways in which a patch and the tree it meets come to disagree.
import type { Tree } from './apply-to-tree.ts';
import { mutateText } from './mutate-text.ts';
import type { Random } from './random.ts';

type Corrupt = (patch: string, tree: Tree, random: Random) => { patch: string; tree: Tree };

export const corruptions: Record<string, Corrupt> = {
  'lines inserted above, so that hunks move': (patch, tree, random) => ({
    patch,
    tree: withTexts(tree, (text) => {
      const lines = text.split(/(?<=\n)/);
      const added = Array.from({ length: 1 + random.below(6) }, (_, index) => `inserted ${index}\n`);
      lines.splice(random.below(lines.length), 0, ...added);
      return lines.join('');
    }),
  }),
  'lines taken away above': (patch, tree, random) => ({
    patch,
    tree: withTexts(tree, (text) => {
      const lines = text.split(/(?<=\n)/);
      lines.splice(random.below(lines.length), 1 + random.below(4));
      return lines.join('');
    }),
  }),
  'files edited since': (patch, tree, random) => ({
    patch,
    tree: withTexts(tree, (text) => mutateText(text, random, text)),
  }),
  'an old line damaged': (patch, tree, random) => ({
    patch: withLine(patch, random, /^[ -](?!--)/, (line) => `${line}x`),
    tree,
  }),
  'a line number changed': (patch, tree, random) => ({
    patch: withLine(patch, random, /^@@ /, (line) =>
      line.replace(/-(\d+)/, (_, start) => `-${Math.max(Number(start) + random.below(9) - 4, 0)}`),
    ),
    tree,
  }),
  'a count changed': (patch, tree, random) => ({
    patch: withLine(patch, random, /^@@ /, (line) =>
      line.replace(
        random.chance(0.5) ? /,(\d+)(?= \+)/ : /,(\d+)(?= @@)/,
        (_, count) => `,${Math.abs(Number(count) + random.pick([-2, -1, 1, 2]))}`,
      ),
    ),
    tree,
  }),
  'cut off after a line': (patch, tree, random) => {
    const lines = patch.split(/(?<=\n)/);
    return { patch: lines.slice(0, random.below(lines.length)).join(''), tree };
  },
  'cut off after a character': (patch, tree, random) => ({
    patch: patch.slice(0, random.below(patch.length)),
    tree,
  }),
  'a line lost': (patch, tree, random) => ({ patch: withLine(patch, random, /^/, () => null), tree }),
  'a line doubled': (patch, tree, random) => ({
    patch: withLine(patch, random, /^/, (line) => `${line}\n${line}`),
    tree,
  }),
  'a sign changed': (patch, tree, random) => ({
    patch: withLine(
      patch,
      random,
      /^[-+ ](?!--|\+\+)/,
      (line) => random.pick([' ', '+', '-']) + line.slice(1),
    ),
    tree,
  }),
  'a blank lost on empty lines': (patch, tree) => ({ patch: patch.replace(/^ $/gm, ''), tree }),
  'an executable bit on every file': (patch, tree) => ({
    patch,
    tree: new Map([...tree].map(([path, { text }]) => [path, { text, mode: 0o100755 }])),
  }),
  'a file missing': (patch, tree, random) => {
    const paths = [...tree.keys()];
    return { patch, tree: new Map([...tree].filter(([path]) => path !== paths[random.below(paths.length)])) };
  },
  'the patch twice': (patch, tree) => ({ patch: patch + patch, tree }),
};

function withTexts(tree: Tree, change: (text: string) => string): Tree {
  return new Map([...tree].map(([path, file]) => [path, { ...file, text: change(file.text) }]));
}

function withLine(
  patch: string,
  random: Random,
  pattern: RegExp,
  change: (line: string) => string | null,
): string {
  const lines = patch.split('\n');
  const candidates = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  const at = candidates[random.below(candidates.length)];
  return lines.flatMap((line, index) => (index === at ? (change(line) ?? []) : line)).join('\n');
}
