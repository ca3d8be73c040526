// What is searched, where and for how much of it: the same for ripgrep and for the built-in search.
import { isProtected } from '../policy/built-in-rules.ts';
import type { Directory } from '../workspace/directory.ts';
import type { FileFilter } from './file-filter.ts';

export type SearchRequest = {
  /** The directory that is searched, held open; the program is started inside it. */
  directory: Directory;
  /** The real path of the workspace: ignore files above it are not ours. */
  root: string;
  query: string;
  isRegex: boolean;
  isCaseSensitive: boolean;
  files: FileFilter;
  /** Files whose content is not given out unless they are named. */
  isWithheld(path: string): boolean;
  signal: AbortSignal;
};

/** Secrets are not read by the way, and nothing that the rules do not let be read unasked. */
export function withheldBy(mayRead: (path: string) => boolean): SearchRequest['isWithheld'] {
  return (path) => isProtected(path) || !mayRead(path);
}

/** The first match of a line, by where it stands in its file. */
export type Hit = {
  path: string;
  /** Counts from 1. */
  line: number;
  /** In bytes; a byte order mark is not counted. */
  offset: number;
  /** From the beginning of the line, in bytes. */
  start: number;
  match: Buffer;
};

export type Hits = { hits: Hit[]; hasMore: boolean };
