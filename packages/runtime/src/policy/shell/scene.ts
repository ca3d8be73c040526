// Where a line is read: the workspace, the folders it may stand in, and what was found so far.
import type { CommandPart, Touch } from '@codelab/protocol';
import type { Workspace } from '../../workspace/workspace.ts';
import type { GitReading } from './git-reading.ts';

export type Scene = {
  workspace: Workspace;
  /** Relative to the workspace, `''` is its root. Several when only running would tell which; undefined when it may be anywhere. */
  cwds: readonly string[] | undefined;
  /** Where the last `cd` leads when it succeeds. */
  moved?: readonly string[] | undefined;
  parts: CommandPart[];
  touches: Touch[];
  /** What lies below folders that are read whole. */
  within: Touch[];
  /** Commands of git that only read, to be asked what they would show. */
  gits: GitReading[];
  /** How many programs were found. */
  programs: number;
  /** How deep what is read now stands inside other parts. */
  depth: number;
  /** Judges a text that a shell is given to run. */
  readScript(text: string): void;
};
