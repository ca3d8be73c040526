// Files found by a part of their path, while the user types.
import { visibleLine } from '@codelab/protocol';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { sessionFiles } from '../../session/session-files.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { FileIcon } from './file-icon.tsx';

// The files that fit what was typed, the best first, as a list under the field.
type Props = { id: string; found: readonly string[]; chosen: number; onPick(path: string): void };

export function FoundFiles({ id, found, chosen, onPick }: Props) {
  const words = useText().files;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.found(found.length)}
      className="min-h-0 flex-1 overflow-auto"
    >
      {found.map((path, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, after the combobox pattern.
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen line.
        <div
          key={path}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          title={visibleLine(path)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(path)}
          className={cx(
            'flex h-7 cursor-pointer items-center gap-1.5 px-2.5',
            at === chosen ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          <FileIcon name={nameOf(path)} />
          <span className="shrink-0 truncate">{visibleLine(nameOf(path))}</span>
          <span className="min-w-0 flex-1 truncate text-small text-faint">{visibleLine(folderOf(path))}</span>
        </div>
      ))}
    </div>
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

// Files that fit a few letters: asked when typing rests, answers of an older question are dropped.
export type FilePathSearch = {
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
const nothing: readonly string[] = [];

/** `unasked` stand in the list while nothing is typed. */
export function useFileSearch(
  onPick: (path: string) => void,
  unasked: readonly string[] = nothing,
): FilePathSearch {
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
      sessionFiles
        .find(query.trim(), 20, ending.signal)
        .then((files) => setAnswer({ query, files }))
        .catch(() => undefined);
    }, waitMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query]);
  const found = query.trim() === '' ? unasked : answer.files;
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
