// The workspace as it was before a command ran, and where what its files held can be found.

import type { GitState } from './git-state.ts';
import type { Deciding } from './named-places.ts';
import type { TrackedFiles } from './tracked-files.ts';
import type { Tree } from './walk-tree.ts';

export type Before = {
  tree: Tree;
  /** Empty where a person stands behind the command. */
  deciding: Deciding;
  git: GitState;
  tracked: TrackedFiles;
  /** Objects of git that hold what files were. */
  objects: ReadonlyMap<string, string>;
  /** Items of the quarantine that do. */
  kept: ReadonlyMap<string, string>;
  startedAt: number;
  /** Of the log: what other calls append after it may change the tree meanwhile. */
  position: number;
};
