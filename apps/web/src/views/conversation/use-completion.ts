// The list of what fits at the caret, and which line of it is chosen.
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { useText } from '../../text/use-text.ts';
import { slashCommands } from './commands.ts';
import { readWish, type Wish } from './read-wish.ts';

type Suggestion = { insert: string; hint: string };
export type Completion = {
  wish: Wish | undefined;
  found: readonly Suggestion[];
  chosen: number;
  choose(at: number): void;
  look(text: string, caret: number): void;
  close(): void;
};

const waitMs = 100;

export function useCompletion(): Completion {
  const words = useText().conversation;
  const [wish, setWish] = useState<Wish | undefined>();
  const [files, setFiles] = useState<readonly string[]>([]);
  const [chosen, choose] = useState(0);
  const query = wish?.type === 'file' ? wish.query : undefined;
  useEffect(() => {
    setFiles((known) => (query === undefined ? [] : known));
    if (query === undefined) return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      api.files
        .find(query, 20, ending.signal)
        .then(setFiles)
        // No list is no harm: the name can be typed.
        .catch(() => undefined);
    }, waitMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query]);
  const found: Suggestion[] =
    wish?.type === 'command'
      ? slashCommands
          .filter(({ name }) => name.startsWith(wish.query))
          .map(({ name, about }) => ({ insert: name, hint: about(words) }))
      : files.map((path) => ({ insert: `@${path} `, hint: '' }));
  return {
    wish,
    found: wish === undefined ? [] : found,
    chosen: Math.min(chosen, Math.max(0, found.length - 1)),
    choose,
    look(text, caret) {
      const next = readWish(text, caret);
      if (next?.query !== wish?.query || next?.type !== wish?.type) choose(0);
      setWish(next);
    },
    close: () => setWish(undefined),
  };
}
