// A search request: the pattern, the scope and the limits; the same for ripgrep and the built-in search.

import { ToolError } from '@codelab/protocol';
import { isProtected } from '../policy/built-in-rules.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { openRegular, type RegularFile, tooLarge } from '../workspace/read-bytes.ts';
import { compileGlob, expandBraces } from '../workspace/trees/glob.ts';

export type SearchRequest = {
  /** The directory to search, held open; the program is started inside it. */
  directory: Directory;
  /** The real path of the workspace: ignore files above it do not apply. */
  root: string;
  query: string;
  isRegex: boolean;
  isCaseSensitive: boolean;
  files: FileFilter;
  /** Files whose content is withheld unless they are named. */
  isWithheld(path: string): boolean;
  signal: AbortSignal;
};

/** Withholds secrets, and files that the rules do not let be read without asking. */
export function withheldBy(mayRead: (path: string) => boolean): SearchRequest['isWithheld'] {
  return (path) => isProtected(path) || !mayRead(path);
}

/** The first match of a line, by its offset in the file. */
export type Hit = {
  path: string;
  /** Number of the line, from 1. */
  line: number;
  /** Offset of the line in bytes, not counting a byte order mark. */
  offset: number;
  /** Offset of the match from the beginning of the line, in bytes. */
  start: number;
  match: Buffer;
};

export type Hits = { hits: Hit[]; hasMore: boolean };

/** Where a search starts: an open directory, or an open file in one. */
export type SearchScope = Disposable & {
  path: string;
  links: string[];
  directory: Directory;
  /** Set when a single file was named. */
  file: RegularFile | undefined;
  /** The workspace path of something found below. */
  pathOf(below: string): string;
};

export function openScope(requested: string, { workspace, limits }: PlanContext): SearchScope {
  using place = workspace.locate(requested, {
    followLast: true,
    access: 'read',
    pathChars: limits.pathChars,
  });
  const { path, links, name, parent, stat } = place;
  if (stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${requested}`);
  using opened = new DisposableStack();
  const isDirectory = stat.isDirectory();
  const file = isDirectory ? undefined : opened.use(openRegular(place));
  if (file !== undefined && file.stat.size > limits.pagedFileBytes)
    throw tooLarge(requested, Number(file.stat.size), limits.pagedFileBytes);
  const directory = opened.use(
    guarded(requested, () => (isDirectory && name !== '.' ? parent.openBelow(name) : parent.again())),
  );
  const openFiles = opened.move();
  const prefix = path === '.' ? '' : `${path}/`;
  const pathOf = (below: string): string => (file === undefined ? prefix + below : path);
  return { path, links, directory, file, pathOf, [Symbol.dispose]: () => openFiles.dispose() };
}

/** Which files a glob matches, as a test for paths and as arguments with which ripgrep excludes files itself. */
export type FileFilter = { test(path: string): boolean; ripgrepArguments: readonly string[] };

export const everyFile: FileFilter = { test: () => true, ripgrepArguments: [] };

/** Without a slash, the pattern matches names at any depth; with one, paths below the searched directory. */
export function fileFilter(pattern: string, field: string): FileFilter {
  return pattern.includes('/') ? pathFilter(pattern, field) : byName(pattern, field);
}

/** The pattern matches whole paths below the searched directory. */
export function pathFilter(pattern: string, field: string): FileFilter {
  const withoutDot = pattern.replace(/^(\.\/)+/, '');
  checkPattern(withoutDot, field);
  const isMatch = compileGlob(withoutDot);
  const start = /^(?:[\w .-]+\/)*/.exec(withoutDot)?.[0] ?? '';
  return {
    // Comparing the literal prefix first is cheap and excludes most paths.
    test: (path) => path.startsWith(start) && isMatch(path),
    ripgrepArguments: namesOnly(withoutDot.slice(withoutDot.lastIndexOf('/') + 1)),
  };
}

function byName(pattern: string, field: string): FileFilter {
  checkPattern(pattern, field);
  const isMatch = compileGlob(pattern);
  return {
    test: (path) => isMatch(path.slice(path.lastIndexOf('/') + 1)),
    ripgrepArguments: namesOnly(pattern),
  };
}

function checkPattern(pattern: string, field: string): void {
  const isPlain = !pattern.includes('\0') && expandBraces(pattern).every(staysBelow);
  if (isPlain) return;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` must be a relative glob without \`..\`.`, { field });
}

function staysBelow(pattern: string): boolean {
  return !pattern.startsWith('/') && !pattern.split('/').includes('..');
}

// A file type rather than `--glob`, because a file that matches `--glob` is searched even if an ignore file excludes it. Only patterns
// that both programs read alike are passed.
function namesOnly(pattern: string): string[] {
  const isAlike = /^(?:[\w .*-]|\{[\w .*,-]*\})+$/.test(pattern) && !pattern.includes('**');
  return isAlike && pattern !== '*' ? [`--type-add=wanted:${pattern}`, '--type=wanted'] : [];
}
