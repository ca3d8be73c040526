// Files and commands that fit what is being typed, and the list to choose from.
import { visibleLine } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { slashCommands } from './commands.ts';

/** The list above the composer. The field keeps the focus and names the chosen line. */
type Props = { completion: Completion; onPick(at: number): void };

export function CompletionList({ completion: { wish, found, chosen }, onPick }: Props) {
  const words = useText().conversation;
  if (wish === undefined || found.length === 0) return null;
  return (
    <div
      id="completion"
      role="listbox"
      aria-label={wish.type === 'file' ? words.files : words.commands}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-64 overflow-auto rounded-large border border-line bg-raised p-1 shadow-floating"
    >
      {found.map(({ insert, hint }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, after the combobox pattern.
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen line.
        <div
          key={insert}
          id={`completion-${at}`}
          role="option"
          aria-selected={at === chosen}
          // The field must not lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(at)}
          className={cx(
            'flex cursor-pointer items-baseline gap-3 rounded-base px-2 py-1',
            at === chosen ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          <span className="min-w-0 truncate font-mono text-small">{visibleLine(insert.trim())}</span>
          <span className="min-w-0 flex-1 truncate text-small text-muted">{hint}</span>
        </div>
      ))}
    </div>
  );
}

/** The list of what fits at the caret, and which line of it is chosen. */
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

// What is being completed at the caret: a command at the very beginning, or a file after an @.
type Wish = { type: 'command' | 'file'; query: string; from: number; to: number };

export function readWish(text: string, caret: number): Wish | undefined {
  const before = text.slice(0, caret);
  if (/^\/[a-z]*$/.test(before)) return { type: 'command', query: before, from: 0, to: caret };
  const found = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (found === null) return undefined;
  const query = found[1] ?? '';
  return { type: 'file', query, from: caret - query.length - 1, to: caret };
}
