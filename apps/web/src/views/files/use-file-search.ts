// Files that fit a few letters: asked when typing rests, answers of an older question are dropped.
import { type KeyboardEvent, useEffect, useState } from 'react';
import { api } from '../../api/api.ts';

export type FileSearch = {
  query: string;
  setQuery(query: string): void;
  found: readonly string[];
  /** The answer to what is typed now is there. */
  isAnswered: boolean;
  chosen: number;
  /** For the field: arrows choose, Enter picks, Escape empties. */
  onKeyDown(event: KeyboardEvent): void;
};

const waitMs = 120;

export function useFileSearch(onPick: (path: string) => void): FileSearch {
  const [query, setQuery] = useState('');
  const [answer, setAnswer] = useState<{ query: string; files: readonly string[] }>({ query: '', files: [] });
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    setChosen(0);
    if (query.trim() === '') {
      setAnswer({ query: '', files: [] });
      return;
    }
    const ending = new AbortController();
    const timer = setTimeout(() => {
      api.files
        .find(query.trim(), 20, ending.signal)
        .then((files) => setAnswer({ query, files }))
        .catch(() => undefined);
    }, waitMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query]);
  const found = query.trim() === '' ? [] : answer.files;
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const path = found[at];
    if (step !== undefined && found.length > 0) setChosen((at + step + found.length) % found.length);
    else if (event.key === 'Enter' && path !== undefined) onPick(path);
    else if (event.key === 'Escape' && query !== '') setQuery('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { query, setQuery, found, isAnswered: answer.query === query, chosen: at, onKeyDown };
}
