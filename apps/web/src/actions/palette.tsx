// The command palette: everything that can be done now, found by typing, with its shortcut.
import { useEffect, useMemo, useRef, useState } from 'react';
import { shortcuts } from '../keys.ts';
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { type Action, useActionStore } from './actions.ts';
import { rankActions } from './rank-actions.ts';

export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const text = useText();
  return (
    <Dialog isBare title={text.frame.palette} isOpen={isOpen} onClose={onClose}>
      <Finder onClose={onClose} />
    </Dialog>
  );
}

function Finder({ onClose }: { onClose(): void }) {
  const text = useText();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const actions = useActionStore((state) => state.actions);
  const found = useMemo(() => rankActions([...actions.values()], query), [actions, query]);
  const run = (action: Action | undefined): void => {
    if (action === undefined) return;
    onClose();
    // Once it is closed: under an open dialog nothing can take the focus.
    setTimeout(() => action.run());
  };
  const onKey = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at) => (found.length === 0 ? 0 : (at + step + found.length) % found.length));
    }
    if (event.key === 'Enter') run(found[chosen]);
  };
  return (
    <>
      <input
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[chosen] === undefined ? undefined : `palette-${chosen}`}
        aria-label={text.frame.paletteSearch}
        placeholder={text.frame.paletteSearch}
        value={query}
        onKeyDown={onKey}
        onChange={({ target }) => {
          setQuery(target.value);
          setChosen(0);
        }}
        className="sticky top-0 h-11 w-full border-b border-line bg-raised px-4 text-read outline-none placeholder:text-faint"
      />
      <div id="palette-list" role="listbox" aria-label={text.frame.palette} className="p-1.5">
        {found.map((action, at) => (
          <Line key={action.id} action={action} at={at} isChosen={at === chosen} onRun={() => run(action)} />
        ))}
        {found.length === 0 && <p className="p-3 text-muted">{text.frame.paletteNone}</p>}
      </div>
    </>
  );
}

type LineProps = { action: Action; at: number; isChosen: boolean; onRun(): void };

function Line({ action, at, isChosen, onRun }: LineProps) {
  const text = useText();
  const keys = shortcuts[action.id];
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard, after the combobox pattern.
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen line.
    <div
      ref={line}
      id={`palette-${at}`}
      role="option"
      aria-selected={isChosen}
      onClick={onRun}
      className={cx(
        'flex cursor-pointer items-center gap-3 rounded-base px-3 py-1.5',
        isChosen ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <span className="w-20 shrink-0 truncate text-small text-muted">{text.frame.groups[action.group]}</span>
      <span className="min-w-0 flex-1 truncate">{action.label}</span>
      {keys !== undefined && <Kbd keys={keys} />}
    </div>
  );
}
