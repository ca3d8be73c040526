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
  for (const gitCase of cases) patches.set(gitCase.id, git.diff(gitCase));
}, 120_000);
afterAll(() => git?.[Symbol.dispose]());

describe('diffs between releases of real packages, and made-up ones', () => {
  test('our tree is the tree git makes, byte for byte and mode for mode', { timeout: 120_000 }, () => {
    const refused = cases.filter((gitCase) => {
      const patch = patchOf(gitCase);
      const gitTree = git.apply(patch, treeOf(gitCase), flagsOf(gitCase));
      const ourResult = verdict(patch, treeOf(gitCase));
      expect(ourResult.tree && contentsOf(ourResult.tree), gitCase.id).toEqual(
        gitTree && contentsOf(gitTree),
      );
      if (gitTree) expect(contentsOf(gitTree), gitCase.id).toEqual(contentsOf(goalOf(gitCase)));
      return gitTree === null;
    });
    const released = (all: readonly GitCase[]): number => all.filter(({ id }) => id.includes('/')).length;
    expect(released(cases) - released(refused)).toBeGreaterThanOrEqual(300);
    // With -W, git writes hunks that overlap, and then does not take them itself.
    for (const one of refused) expect(one.options).toContain('-W');
  });

  test('what we write again, git takes for the same', { timeout: 120_000 }, () => {
    for (const gitCase of everyNth(4)) {
      const ourResult = verdict(patchOf(gitCase), treeOf(gitCase));
      if (ourResult.tree === null) continue;
      const rewritten = formatPatch(parsePatch(patchOf(gitCase)));
      const gitTree = git.apply(rewritten, treeOf(gitCase), zeroFlagOf(gitCase));
      expect(gitTree && contentsOf(gitTree), gitCase.id).toEqual(contentsOf(ourResult.tree));
    }
  });

  test('any choice of hunks, whole or split, git applies as we do', { timeout: 120_000 }, () => {
    for (const gitCase of everyNth(3)) {
      const random = createRandom(gitCase.id.length + cases.indexOf(gitCase));
      const parsed = parsedOrNone(patchOf(gitCase));
      const files = random.chance(0.5) ? parsed : parsed.map(withSplitHunks);
      const total = files.reduce((sum, file) => sum + Math.max(file.hunks.length, 1), 0);
      const take = Array.from({ length: total }, (_, index) => index + 1).filter(() => random.chance(0.5));
      const filtered = formatPatch(selectHunks(files, take));
      if (filtered === '') continue;
      const gitTree = git.apply(filtered, treeOf(gitCase), zeroFlagOf(gitCase));
      const ourResult = verdict(filtered, treeOf(gitCase));
      expect(ourResult.tree && contentsOf(ourResult.tree), gitCase.id).toEqual(
        gitTree && contentsOf(gitTree),
      );
      expect(gitTree, `${gitCase.id} ${ourResult.message}`).not.toBeNull();
    }
  });
});

describe('patches and trees that do not fit', () => {
  /** Cases that git accepts, mostly in silence, although they can't be intended. */
  const STRICTER = [
    /More lines follow than the hunk header promises/,
    /stands twice/,
    /must follow/,
    /names no change/,
    /announces changed text, but no hunks follow/,
    /belong together/,
    /0 can only start an empty range/,
    /overlaps the one before it, or they are out of order/,
    /name different places/,
    /The names disagree/,
  ];
  /** A hunk that only its line number places is never searched for elsewhere. */
  const ELSEWHERE = /not in the file|must end the file/;

  for (const [index, [name, corrupt]] of Object.entries(corruptions).entries())
    test(`${name}: git's result or, where git or we refuse, none`, { timeout: 120_000 }, () => {
      for (const gitCase of everyNth(7, index)) {
        const random = createRandom(cases.indexOf(gitCase));
        const { patch, tree } = corrupt(patchOf(gitCase), treeOf(gitCase), random);
        const gitTree = git.apply(patch, tree, flagsOf(gitCase));
        const ourResult = verdict(patch, tree);
        if (ourResult.tree && gitTree)
          expect(contentsOf(ourResult.tree), gitCase.id).toEqual(contentsOf(gitTree));
        if (ourResult.tree && !gitTree) expect(patch, gitCase.id).toMatch(NULL_WITHOUT_MODE);
        if (gitTree && !ourResult.tree)
          expect(isStricter(ourResult.message, patch), `${gitCase.id} ${ourResult.message}`).toBe(true);
      }
    });

  const isStricter = (message: string, patch: string) =>
    STRICTER.some((reason) => reason.test(message)) || (ELSEWHERE.test(message) && hasBareHunk(patch));

  for (const { name, patch, files, flags, git: gitApplies, ours } of handmade)
    test(`${name}: git ${gitApplies ? 'applies' : 'refuses'}, we ${ours ? 'apply' : 'refuse'}`, () => {
      const tree: Tree = new Map(
        Object.entries(files).map(([path, text]) => [path, { text, mode: 0o100644 }]),
      );
      const gitTree = git.apply(patch, tree, flags ?? []);
      const ourTree = verdict(patch, tree).tree;
      expect([gitTree !== null, ourTree !== null]).toEqual([gitApplies, ours]);
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

function flagsOf(gitCase: GitCase): string[] {
  return gitCase.options.includes('--no-prefix') ? ['-p0', ...zeroFlagOf(gitCase)] : zeroFlagOf(gitCase);
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
