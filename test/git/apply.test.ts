import { splitHunk } from '@codelab/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FilePatch } from '../../packages/runtime/src/patch/file-patch.ts';
import { formatPatch } from '../../packages/runtime/src/patch/format-patch.ts';
import { parsePatch } from '../../packages/runtime/src/patch/parse/parse-patch.ts';
import { selectHunks } from '../../packages/runtime/src/patch/select-hunks.ts';
import { applyToTree, type Tree } from '../support/apply-to-tree.ts';
import { corruptions } from '../support/corrupt-patch.ts';
import { type GitCase, gitCases } from '../support/git-cases.ts';
import { createGitSide, type GitSide } from '../support/git-side.ts';
import { handmade } from '../support/handmade-patches.ts';
import { createRandom } from '../support/random.ts';

const cases = gitCases({ made: 120 });
const patches = new Map<string, string>();
let git: GitSide;

beforeAll(() => {
  git = createGitSide(cases);
  for (const one of cases) patches.set(one.id, git.diff(one));
}, 120_000);
afterAll(() => git?.[Symbol.dispose]());

describe('diffs between releases of real packages, and made-up ones', () => {
  test('our tree is the tree git makes, byte for byte and mode for mode', { timeout: 120_000 }, () => {
    const refused = cases.filter((one) => {
      const patch = patchOf(one);
      const theirs = git.apply(patch, treeOf(one), flagsOf(one));
      const ours = verdict(patch, treeOf(one));
      expect(ours.tree && contentsOf(ours.tree), one.id).toEqual(theirs && contentsOf(theirs));
      if (theirs) expect(contentsOf(theirs), one.id).toEqual(contentsOf(goalOf(one)));
      return theirs === null;
    });
    const released = (all: readonly GitCase[]): number => all.filter(({ id }) => id.includes('/')).length;
    expect(released(cases) - released(refused)).toBeGreaterThanOrEqual(300);
    // With -W, git writes hunks that overlap, and then does not take them itself.
    for (const one of refused) expect(one.options).toContain('-W');
  });

  test('what we write again, git takes for the same', { timeout: 120_000 }, () => {
    for (const one of everyNth(4)) {
      const ours = verdict(patchOf(one), treeOf(one));
      if (ours.tree === null) continue;
      const rewritten = formatPatch(parsePatch(patchOf(one)));
      const theirs = git.apply(rewritten, treeOf(one), zeroFlagOf(one));
      expect(theirs && contentsOf(theirs), one.id).toEqual(contentsOf(ours.tree));
    }
  });

  test('any choice of hunks, whole or split, git applies as we do', { timeout: 120_000 }, () => {
    for (const one of everyNth(3)) {
      const random = createRandom(one.id.length + cases.indexOf(one));
      const parsed = parsedOrNone(patchOf(one));
      const files = random.chance(0.5) ? parsed : parsed.map(withSplitHunks);
      const total = files.reduce((sum, file) => sum + Math.max(file.hunks.length, 1), 0);
      const take = Array.from({ length: total }, (_, index) => index + 1).filter(() => random.chance(0.5));
      const filtered = formatPatch(selectHunks(files, take));
      if (filtered === '') continue;
      const theirs = git.apply(filtered, treeOf(one), zeroFlagOf(one));
      const ours = verdict(filtered, treeOf(one));
      expect(ours.tree && contentsOf(ours.tree), one.id).toEqual(theirs && contentsOf(theirs));
      expect(theirs, `${one.id} ${ours.message}`).not.toBeNull();
    }
  });
});

describe('patches and trees that do not fit', () => {
  /** Where git lets pass, most of it in silence, what cannot have been meant so. */
  const STRICTER = [
    /More lines follow than the hunk header promises/,
    /stands twice/,
    /must follow/,
    /names no change/,
    /speaks of changed text, but no hunks follow/,
    /belong together/,
    /0 can only start an empty range/,
    /overlaps the one before it, or they are out of order/,
    /name different places/,
    /The names disagree/,
  ];
  /** Where nothing but its line number places a hunk, we do not look for another place. */
  const ELSEWHERE = /not in the file|must end the file/;

  for (const [index, [name, corrupt]] of Object.entries(corruptions).entries())
    test(`${name}: git's result or, where git or we refuse, none`, { timeout: 120_000 }, () => {
      for (const one of everyNth(7, index)) {
        const random = createRandom(cases.indexOf(one));
        const { patch, tree } = corrupt(patchOf(one), treeOf(one), random);
        const theirs = git.apply(patch, tree, flagsOf(one));
        const ours = verdict(patch, tree);
        if (ours.tree && theirs) expect(contentsOf(ours.tree), one.id).toEqual(contentsOf(theirs));
        if (ours.tree && !theirs) expect(patch, one.id).toMatch(NULL_WITHOUT_MODE);
        if (theirs && !ours.tree)
          expect(isStricter(ours.message, patch), `${one.id} ${ours.message}`).toBe(true);
      }
    });

  const isStricter = (message: string, patch: string) =>
    STRICTER.some((reason) => reason.test(message)) || (ELSEWHERE.test(message) && hasBareHunk(patch));

  for (const { name, patch, files, flags, git: theirs, ours } of handmade)
    test(`${name}: git ${theirs ? 'applies' : 'refuses'}, we ${ours ? 'apply' : 'refuse'}`, () => {
      const tree: Tree = new Map(
        Object.entries(files).map(([path, text]) => [path, { text, mode: 0o100644 }]),
      );
      const gitTree = git.apply(patch, tree, flags ?? []);
      const ourTree = verdict(patch, tree).tree;
      expect([gitTree !== null, ourTree !== null]).toEqual([theirs, ours]);
      if (gitTree && ourTree) expect(contentsOf(ourTree)).toEqual(contentsOf(gitTree));
    });
});

/** git wants the mode besides; to us /dev/null says that the file is new or goes. */
const NULL_WITHOUT_MODE =
  /^diff --git .*\n(?!(?:new|deleted) file)(?:index .*\n)?(?:--- \/dev\/null|--- .*\n\+\+\+ \/dev\/null)/m;

function patchOf({ id }: GitCase): string {
  return patches.get(id) ?? '';
}

function treeOf({ options, before, after }: GitCase): Tree {
  return options.includes('-R') ? after : before;
}

function goalOf({ options, before, after }: GitCase): Tree {
  return options.includes('-R') ? before : after;
}

function flagsOf(one: GitCase): string[] {
  return one.options.includes('--no-prefix') ? ['-p0', ...zeroFlagOf(one)] : zeroFlagOf(one);
}

function zeroFlagOf({ options }: GitCase): string[] {
  return options.includes('-U0') ? ['--unidiff-zero'] : [];
}

function everyNth(step: number, from = 0): GitCase[] {
  return cases.filter((_, index) => index % step === from % step);
}

function verdict(patch: string, tree: Tree): { tree: Tree | null; message: string } {
  try {
    return { tree: applyToTree(parsePatch(patch), tree), message: '' };
  } catch (error) {
    expect(error).toMatchObject({ code: 'PATCH_APPLY_FAILED' });
    return { tree: null, message: (error as Error).message };
  }
}

function parsedOrNone(patch: string): FilePatch[] {
  try {
    return parsePatch(patch);
  } catch {
    return [];
  }
}

function withSplitHunks(file: FilePatch): FilePatch {
  return { ...file, hunks: file.hunks.flatMap(splitHunk) };
}

function hasBareHunk(patch: string): boolean {
  const hunks = parsedOrNone(patch).flatMap((file) => file.hunks);
  return hunks.some((hunk) => !hunk.lines.some((line) => line.startsWith(' ')));
}

function contentsOf(tree: Tree): [string, string][] {
  const entries = [...tree].map(([path, { text, mode }]): [string, string] => [
    path,
    `${mode.toString(8)} ${text}`,
  ]);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
