// A program that only reads, and what keeps it so.
import type { OptionTable } from './options.ts';

export type ReadingProgram = OptionTable & {
  /** What stands beside the options: files, plain text, first a pattern or program and then files, or nothing at all. */
  operands: 'paths' | 'text' | 'pattern' | 'none';
  /** More of them would mean something else: `uniq` writes to its second one. */
  max?: number;
  /** Without operands it reads the folder it stands in. */
  readsFolder?: boolean;
  /** These options give the pattern, so that every operand is a file. */
  patternOptions?: readonly string[];
  /** Reads the files below a folder: always, or with one of these options. */
  descends?: true | readonly string[];
  /** Reads what links in a folder lead to. */
  followsLinks?: boolean;
  /** With one of these it only lists names. */
  listsNames?: readonly string[];
  /** Leaves out what begins with a dot, unless one of these options is given. */
  skipsHidden?: readonly string[];
};
