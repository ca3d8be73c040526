// What is searched, where and for how much of it: the same for ripgrep and for the built-in search.

import { ToolError } from '@codelab/protocol';
import { isProtected } from '../policy/built-in-rules.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { openRegular, type RegularFile, tooLarge } from '../workspace/read-bytes.ts';
import { compileGlob, expandBraces } from '../workspace/trees/glob.ts';

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

/** The place a search starts from: an open directory, or an open file in one. */
export type SearchScope = Disposable & {
  path: string;
  links: string[];
  directory: Directory;
  /** Set when a single file was named. */
  file: RegularFile | undefined;
  /** The workspace's path of something found below. */
  pathOf(below: string): string;
};

export function openScope(asked: string, { workspace, limits }: PlanContext): SearchScope {
  using place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: limits.pathChars });
  const { path, links, name, parent, stat } = place;
  if (stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${asked}`);
  using opened = new DisposableStack();
  const isDirectory = stat.isDirectory();
  const file = isDirectory ? undefined : opened.use(openRegular(place));
  if (file !== undefined && file.stat.size > limits.pagedFileBytes)
    throw tooLarge(asked, Number(file.stat.size), limits.pagedFileBytes);
  const directory = opened.use(
    guarded(asked, () => (isDirectory && name !== '.' ? parent.openBelow(name) : parent.again())),
  );
  const held = opened.move();
  const prefix = path === '.' ? '' : `${path}/`;
  const pathOf = (below: string): string => (file === undefined ? prefix + below : path);
  return { path, links, directory, file, pathOf, [Symbol.dispose]: () => held.dispose() };
}

/** Which files a glob means, as a test for paths and as what ripgrep can leave out by itself. */
export type FileFilter = { test(path: string): boolean; ripgrepArguments: readonly string[] };

export const everyFile: FileFilter = { test: () => true, ripgrepArguments: [] };

/** Without a slash the pattern speaks about names at any depth, with one about paths below the searched directory. */
export function fileFilter(pattern: string, field: string): FileFilter {
  return pattern.includes('/') ? pathFilter(pattern, field) : byName(pattern, field);
}

/** The pattern speaks about whole paths below the searched directory. */
export function pathFilter(pattern: string, field: string): FileFilter {
  const plain = pattern.replace(/^(\.\/)+/, '');
  checkPattern(plain, field);
  const isMatch = compileGlob(plain);
  const start = /^(?:[\w .-]+\/)*/.exec(plain)?.[0] ?? '';
  return {
    // Most paths are told apart by their beginning, which costs nothing.
    test: (path) => path.startsWith(start) && isMatch(path),
    ripgrepArguments: namesOnly(plain.slice(plain.lastIndexOf('/') + 1)),
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

// A file type, not `--glob`: what a glob names is searched even when an ignore file says otherwise. Only what both sides read alike.
function namesOnly(pattern: string): string[] {
  const isAlike = /^(?:[\w .*-]|\{[\w .*,-]*\})+$/.test(pattern) && !pattern.includes('**');
  return isAlike && pattern !== '*' ? [`--type-add=wanted:${pattern}`, '--type=wanted'] : [];
}
