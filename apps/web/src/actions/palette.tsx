// The command palette: all available actions, found by typing, with their shortcuts.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { shortcuts } from '../keys.ts';
import { remembered } from '../remembered.ts';
import { useText } from '../text/use-text.ts';
import { Kbd } from '../ui/badge.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Action, useActionStore } from './actions.ts';
import { type ActionGroup, groupActions } from './group-actions.ts';

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
  const { query, setQuery, groups, isEmpty, chosen, run, onKeyDown } = useFoundActions(onClose);
  return (
    <>
      <input
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen === undefined ? undefined : `palette-${chosen.id}`}
        aria-label={text.frame.paletteSearch}
        placeholder={text.frame.paletteSearch}
        value={query}
        onKeyDown={onKeyDown}
        onChange={({ target }) => setQuery(target.value)}
        className="sticky top-0 z-10 h-11 w-full border-b border-line bg-raised px-4 text-read outline-none placeholder:text-faint"
      />
      <div id="palette-list" role="listbox" aria-label={text.frame.palette} className="p-1.5">
        {groups.map((group) => (
          <Group key={group.name} group={group} chosen={chosen} onRun={run} />
        ))}
        {isEmpty && <p className="p-3 text-muted">{text.frame.paletteNone}</p>}
      </div>
    </>
  );
}

/** The actions that match the query, and the one that Enter runs. */
function useFoundActions(onClose: () => void) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const actions = useActionStore((state) => state.actions);
  const groups = useMemo(() => groupActions([...actions.values()], query, recentActions()), [actions, query]);
  const found = groups.flatMap((group) => group.actions);
  const chosen = found[at];
  const run = (action: Action | undefined): void => {
    if (action === undefined) return;
    noteAction(action.id);
    onClose();
    // Once the dialog is closed: under an open one nothing can take the focus.
    setTimeout(() => action.run());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((before) => (found.length === 0 ? 0 : (before + step + found.length) % found.length));
    }
    if (event.key !== 'Enter') return;
    // The element that had the focus before gets it back at once, and must not handle this key as well.
    event.preventDefault();
    run(chosen);
  };
  const changeQuery = (next: string): void => {
    setQuery(next);
    setAt(0);
  };
  return { query, setQuery: changeQuery, groups, isEmpty: found.length === 0, chosen, run, onKeyDown };
}

type GroupProps = { group: ActionGroup; chosen: Action | undefined; onRun(action: Action): void };

function Group({ group: { name, actions }, chosen, onRun }: GroupProps) {
  const { groups } = useText().frame;
  const id = useId();
  const lines = actions.map((action) => (
    <Line
      key={action.id}
      action={action}
      hasGroup={name === 'found' || name === 'recent'}
      isChosen={action === chosen}
      onRun={() => onRun(action)}
    />
  ));
  if (name === 'found') return lines;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list box.
    <div role="group" aria-labelledby={id} className="pb-1">
      <div id={id} className="px-3 pt-1.5 pb-0.5 text-tiny font-semibold text-muted">
        {groups[name]}
      </div>
      {lines}
    </div>
  );
}

type LineProps = { action: Action; hasGroup: boolean; isChosen: boolean; onRun(): void };

function Line({ action, hasGroup, isChosen, onRun }: LineProps) {
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
      id={`palette-${action.id}`}
      role="option"
      aria-selected={isChosen}
      onClick={onRun}
      className={cx(
        'flex scroll-mt-14 cursor-pointer items-center gap-3 rounded-base px-3 py-1.5',
        isChosen ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      {hasGroup && (
        <span className="w-20 shrink-0 truncate text-small text-muted">
          {text.frame.groups[action.group]}
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">{action.label}</span>
      {keys !== undefined && (
        <span className="max-two:hidden">
          <Kbd keys={keys} />
        </span>
      )}
    </div>
  );
}

// The actions that were run from the palette lately, the latest first. This browser remembers them.
const most = 5;
const storedActions = remembered<readonly string[]>('recent-actions', [], isList);

function recentActions(): readonly string[] {
  return storedActions.read();
}

function noteAction(id: string): void {
  storedActions.write([id, ...storedActions.read().filter((other) => other !== id)].slice(0, most));
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
