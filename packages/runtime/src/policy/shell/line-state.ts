// The state of reading one shell line: the workspace, the folders it may run in, and what was found so far.
import type { CommandPart, Touch } from '@codelab/protocol';
import type { OwnTmp } from '../../workspace/own-tmp.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { FoundGitReading } from './git/reading-git.ts';

/** Content that a part of the line would delete or replace, so that somebody can ask whether undo could bring it back. */
export type ReplacedContent = {
  /** The part's position among the parts of the line. */
  part: number;
  /** Relative to the workspace, with everything below it; `.` is the whole workspace. */
  path: string;
  /** Limits the path to files that git tracks, or to staged content. */
  only?: 'tracked' | 'staged';
};

export type LineState = {
  workspace: Workspace;
  /** The /tmp of the session, where commands are held in a sandbox. */
  tmp: OwnTmp | undefined;
  /** Relative to the workspace; `''` is the root. Several when only running would tell which; undefined when any folder is possible. */
  cwds: readonly string[] | undefined;
  /** Where the last `cd` leads when it succeeds. */
  moved?: readonly string[] | undefined;
  parts: CommandPart[];
  touches: Touch[];
  /** What lies below folders that are read whole. */
  within: Touch[];
  /** Files below such folders that may hold secrets. */
  secrets: Touch[];
  /** What exists now and the line would delete or replace. */
  replaced: ReplacedContent[];
  /** Reading git commands; git is asked afterwards what they would show. */
  gits: FoundGitReading[];
  /** How many programs were found. */
  programs: number;
  /** How deep what is read now stands inside other parts. */
  depth: number;
  /** What comes through the pipe is a list of names in the workspace. */
  isFedNames: boolean;
  /** Judges a text that a shell is given to run. */
  readScript(text: string): void;
};
