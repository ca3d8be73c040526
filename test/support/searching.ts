// Searches through the whole pipeline, and the two engines behind it side by side.
import type { Outcome } from '@codelab/protocol';
import { findRipgrep } from '@codelab/runtime';
import { isProtected } from '../../packages/runtime/src/policy/built-in-rules.ts';
import { findLinesBuiltIn, listPathsBuiltIn } from '../../packages/runtime/src/search/built-in-search.ts';
import { findLines } from '../../packages/runtime/src/search/find-lines.ts';
import { listMatchingPaths } from '../../packages/runtime/src/search/list-paths.ts';
import { type MatchedLine, readLines } from '../../packages/runtime/src/search/read-lines.ts';
import { everyFile, type FileFilter } from '../../packages/runtime/src/search/search-request.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { codeOf } from './code-of.ts';
import type { Workbench } from './workbench.ts';

type Found = { file: string; line: number; column: number; text: string; match: string };
type Answer = { matches: Found[]; files?: { path: string }[]; total: number; truncated: boolean };

export async function search(
  bench: Workbench,
  query: string,
  options: Record<string, unknown> = {},
): Promise<Answer> {
  return dataOf(await bench.call('search_in_project', { query, ...options })) as Answer;
}

export async function filesWith(
  bench: Workbench,
  query: string,
  options: Record<string, unknown> = {},
): Promise<string[]> {
  const { matches } = await search(bench, query, options);
  return [...new Set(matches.map(({ file }) => file))];
}

export async function find(
  bench: Workbench,
  pattern: string,
  options: Record<string, unknown> = {},
): Promise<string[]> {
  return dataOf(await bench.call('find_files', { pattern, ...options })).files as string[];
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.status === 'completed') return outcome.data;
  throw new Error(`${codeOf(outcome)}: ${outcome.error.message}`);
}

type Wanted = {
  query: string;
  isRegex?: boolean;
  isCaseSensitive?: boolean;
  files?: FileFilter;
  maxHits?: number;
};
type Both<T> = { ripgrep: T; builtIn: T };

export async function ripgrepProgram(): Promise<string> {
  const program = await findRipgrep('/nowhere');
  if (program === undefined) throw new Error('ripgrep is not installed');
  return program;
}

/** The results of ripgrep and the built-in search for the same request. */
export async function linesOfBoth(root: string, search: Wanted): Promise<Both<MatchedLine[]>> {
  using workspace = Workspace.open(root);
  const directory = workspace.root;
  const signal = new AbortController().signal;
  const defaults = { isRegex: false, isCaseSensitive: true, files: everyFile, maxHits: 1000 };
  const request = {
    ...defaults,
    ...search,
    directory,
    root: directory.real,
    isWithheld: isProtected,
    signal,
  };
  const ripgrep = await findLines({ ...request, program: await ripgrepProgram() });
  const builtIn = await findLinesBuiltIn(request);
  return { ripgrep: readLines(directory, ripgrep.hits), builtIn: readLines(directory, builtIn.hits) };
}

export async function pathsOfBoth(root: string, files: FileFilter = everyFile): Promise<Both<string[]>> {
  using workspace = Workspace.open(root);
  const directory = workspace.root;
  const signal = new AbortController().signal;
  const request = {
    directory,
    root: directory.real,
    files,
    isWithheld: () => false,
    signal,
    maxPaths: 10_000,
  };
  const ripgrep = await listMatchingPaths({ ...request, program: await ripgrepProgram() });
  return { ripgrep: ripgrep.paths, builtIn: (await listPathsBuiltIn(request)).paths };
}
