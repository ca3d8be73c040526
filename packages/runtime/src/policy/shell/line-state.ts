// The state of parsing one shell line: the workspace, the folders it may run in, and the findings so far.
import type { CommandPart, Touch } from '@codelab/protocol';
import type { OwnTmp } from '../../workspace/own-tmp.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { FoundGitReading } from './git/reading-git.ts';

/** Content that a part of the line would delete or replace, to be checked for whether undo could restore it. */
export type ReplacedContent = {
  /** The index of the part in the line. */
  part: number;
  /** Relative to the workspace, including everything below it; `.` is the whole workspace. */
  path: string;
  /** Limits the path to files that git tracks, or to staged content. */
  only?: 'tracked' | 'staged';
};

export type LineState = {
  workspace: Workspace;
  /** The session's /tmp, where commands are sandboxed. */
  tmp: OwnTmp | undefined;
  /** Relative to the workspace; `''` is the root. Several when the folder is known only at run time; undefined when any folder is possible. */
  cwds: readonly string[] | undefined;
  /** The folder of the last `cd` if it succeeds. */
  moved?: readonly string[] | undefined;
  parts: CommandPart[];
  touches: Touch[];
  /** Files below folders that are read whole. */
  within: Touch[];
  /** Files below such folders that may hold secrets. */
  secrets: Touch[];
  /** Existing content that the line would delete or replace. */
  replaced: ReplacedContent[];
  /** Reading git commands; git tells afterwards what they would show. */
  gits: FoundGitReading[];
  /** How many programs were found. */
  programs: number;
  /** Nesting depth of the current text inside other parts. */
  depth: number;
  /** The piped input is a list of names in the workspace. */
  isFedNames: boolean;
  /** Judges a script text that a shell gets as an argument. */
  readScript(text: string): void;
};
