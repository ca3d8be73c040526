// The search in the project and its results. The store outlives the view, which shows the same results when it is opened again.
import type { SearchMatch } from '@codelab/api';
import { create } from 'zustand';
import { errorMessage } from '../../error-help.ts';
import { showView } from '../../layout/show-view.ts';
import { sessionFiles } from '../../session/session-files.ts';
import { currentText } from '../../text/use-text.ts';

export type SearchQuery = { query: string; isRegex: boolean; isCase: boolean; pattern: string };

type Search = SearchQuery & {
  /** How many lines are wanted at most. */
  limit: number;
  status: 'idle' | 'searching' | 'done' | 'failed';
  matches: readonly SearchMatch[];
  isCut: boolean;
  problem: string;
  /** Counts how often the field was asked for. */
  focusRequests: number;
};

const few = 200;
const most = 1000;
const waitMs = 250;

export const useSearch = create<Search>(() => ({
  ...{ query: '', isRegex: false, isCase: false, pattern: '', limit: few },
  ...{ status: 'idle', matches: [], isCut: false, problem: '', focusRequests: 0 },
}));

let timer: ReturnType<typeof setTimeout> | undefined;
let running: AbortController | undefined;

/** Asks for the field, with a text to search for where one is known. */
export function openSearch(query = ''): void {
  showView('search');
  useSearch.setState(({ focusRequests }) => ({ focusRequests: focusRequests + 1 }));
  if (query !== '') changeSearch({ query });
}

/** Searches when typing rests. */
export function changeSearch(change: Partial<SearchQuery>): void {
  useSearch.setState({ ...change, limit: few });
  clearTimeout(timer);
  timer = setTimeout(() => void runSearch(), waitMs);
}

export function showMoreFound(): void {
  useSearch.setState({ limit: most });
  void runSearch();
}

export async function runSearch(): Promise<void> {
  clearTimeout(timer);
  running?.abort();
  const { query, isRegex, isCase, pattern, limit } = useSearch.getState();
  if (query === '') {
    useSearch.setState({ status: 'idle', matches: [], isCut: false, problem: '' });
    return;
  }
  const request = new AbortController();
  running = request;
  useSearch.setState({ status: 'searching' });
  const flags = { regex: spell(isRegex), case_sensitive: spell(isCase) };
  const glob = pattern.trim() === '' ? {} : { file_pattern: pattern.trim() };
  try {
    const { matches, truncated } = await sessionFiles.search(
      { query, limit, ...flags, ...glob },
      request.signal,
    );
    if (running === request) useSearch.setState({ status: 'done', matches, isCut: truncated, problem: '' });
  } catch (error) {
    if (request.signal.aborted) return;
    const problem = errorMessage(error, currentText());
    useSearch.setState({ status: 'failed', matches: [], isCut: false, problem });
  }
}

function spell(flag: boolean): 'true' | 'false' {
  return flag ? 'true' : 'false';
}
