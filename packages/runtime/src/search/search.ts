// Searching, by whatever is there: ripgrep, or the built-in search where it is missing.
import type { OpenFile } from '../workspace/read-bytes.ts';
import { findRipgrep } from './find-ripgrep.ts';
import type { PathSearch, Paths } from './list-paths.ts';
import { type FoundLine, linesOfOpen, readLines } from './read-lines.ts';
import type { Hits, SearchRequest } from './search-request.ts';

type LinesWanted = SearchRequest & { maxHits: number; input?: OpenFile };

export async function searchLines(search: LinesWanted): Promise<{ lines: FoundLine[]; hasMore: boolean }> {
  const { hits, hasMore } = await findHits(search, await findRipgrep(search.root));
  const lines =
    search.input === undefined ? readLines(search.directory, hits) : linesOfOpen(search.input.fd, hits);
  return { lines, hasMore };
}

export async function searchPaths(search: Omit<PathSearch, 'program'>): Promise<Paths> {
  const program = await findRipgrep(search.root);
  if (program !== undefined) return (await import('./list-paths.ts')).listPaths({ ...search, program });
  return (await import('./built-in-search.ts')).listPathsBuiltIn(search);
}

async function findHits(search: LinesWanted, program: string | undefined): Promise<Hits> {
  if (program === undefined) return (await import('./built-in-search.ts')).findLinesBuiltIn(search);
  const { findLines } = await import('./find-lines.ts');
  const { input, ...rest } = search;
  return findLines({ ...rest, program, ...(input !== undefined && { input: input.fd }) });
}
