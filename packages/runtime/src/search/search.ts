// Searches with ripgrep, or with the built-in search where ripgrep is missing.
import type { Directory } from '../workspace/directory.ts';
import type { RegularFile } from '../workspace/read-bytes.ts';
import { isWithin, statePlaces } from '../workspace/state-folder.ts';
import { findRipgrep } from './find-ripgrep.ts';
import type { FoundPaths, PathSearch } from './list-paths.ts';
import { linesOfOpen, type MatchedLine, readLines } from './read-lines.ts';
import type { Hits, SearchRequest } from './search-request.ts';

/** `around` is the number of lines to return before and after each match. */
type LinesWanted = SearchRequest & { maxHits: number; contextLines?: number; input?: RegularFile };

export async function searchLines(search: LinesWanted): Promise<{ lines: MatchedLine[]; hasMore: boolean }> {
  const { hits, hasMore } = await findHits(search, await findRipgrep(search.root));
  const { contextLines = 0 } = search;
  const lines =
    search.input === undefined
      ? readLines(search.directory, hits, contextLines)
      : linesOfOpen(search.input.fd, hits, contextLines);
  return { lines, hasMore };
}

export async function searchPaths(search: Omit<PathSearch, 'program'>): Promise<FoundPaths> {
  const program = await findRipgrep(search.root);
  if (program !== undefined) {
    const { listMatchingPaths } = await import('./list-paths.ts');
    return listMatchingPaths({ ...search, isWithheld: withoutState(search), program });
  }
  return (await import('./built-in-search.ts')).listPathsBuiltIn(search);
}

async function findHits(search: LinesWanted, program: string | undefined): Promise<Hits> {
  if (program === undefined) return (await import('./built-in-search.ts')).findLinesBuiltIn(search);
  const { findLines } = await import('./find-lines.ts');
  const { input, ...rest } = search;
  return findLines({
    ...rest,
    isWithheld: withoutState(search),
    program,
    ...(input !== undefined && { input: input.fd }),
  });
}

type SearchPlace = { directory: Directory; isWithheld(path: string): boolean };

// ripgrep goes by names, so it would list the state folder, which the descriptor walk refuses to enter.
function withoutState({ directory, isWithheld }: SearchPlace): SearchPlace['isWithheld'] {
  const { state, real } = directory;
  const places = state === undefined ? [] : statePlaces(state).filter((place) => isWithin(place, real));
  if (places.length === 0) return isWithheld;
  const below = places.map((place) => place.slice(real === '/' ? 1 : real.length + 1));
  return (path) => isWithheld(path) || below.some((place) => isWithin(path, place));
}
