// Ctrl-R searches the history, as in shells. Each press goes to the next older entry that contains the search text.
import type { Key } from 'node:readline';
import { type Draft, toDraft } from './draft.ts';

export type HistorySearch = {
  query: string;
  /** The index of the shown entry; the end of the history while nothing matches. */
  at: number;
  isFound: boolean;
  /** The input before the search; Escape restores it. */
  before: Draft;
};

/** The search after a key: it continues, or ends with a new input. `isPassed`: the key still applies to the input. */
export type SearchStep = { search: HistorySearch } | { draft: Draft; isPassed: boolean };

export function startSearch(before: Draft, history: readonly string[]): HistorySearch {
  return { query: '', at: history.length, isFound: true, before };
}

export function foundBy({ at }: HistorySearch, history: readonly string[]): string | undefined {
  return history[at];
}

export function searchStep(search: HistorySearch, key: Key, history: readonly string[]): SearchStep {
  const { name = '', ctrl = false, meta = false, sequence = '' } = key;
  if (ctrl && name === 'r') return { search: findOther(search, -1, history) };
  if (ctrl && name === 's') return { search: findOther(search, 1, history) };
  if (name === 'escape' || (ctrl && (name === 'g' || name === 'c')))
    return { draft: search.before, isPassed: false };
  if (name === 'backspace') {
    const query = search.query.slice(0, -1);
    return { search: find({ ...search, query }, history.length - 1, history) };
  }
  if (!ctrl && !meta && sequence !== '' && !/\p{Cc}/u.test(sequence)) {
    const query = search.query + sequence;
    return { search: find({ ...search, query }, search.at, history) };
  }
  // Enter puts the match into the input; any other key does the same and then applies there.
  const match = foundBy(search, history);
  return {
    draft: match === undefined ? search.before : toDraft(match),
    isPassed: name !== 'return' && name !== 'tab',
  };
}

/** The newest matching entry up to `from`; the end of the history when there is none. */
function find(search: HistorySearch, from: number, history: readonly string[]): HistorySearch {
  const query = search.query.toLowerCase();
  const at = history.findLastIndex((line, i) => i <= from && line.toLowerCase().includes(query));
  const isFound = at >= 0 && query !== '';
  return { ...search, at: isFound ? at : history.length, isFound: isFound || query === '' };
}

function findOther(search: HistorySearch, by: -1 | 1, history: readonly string[]): HistorySearch {
  const query = search.query.toLowerCase();
  if (query === '') return search;
  for (let at = search.at + by; at >= 0 && at < history.length; at += by)
    if (history[at]?.toLowerCase().includes(query) && history[at] !== history[search.at])
      return { ...search, at };
  return search;
}
