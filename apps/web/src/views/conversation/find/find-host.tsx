// Where find in the conversation is asked for, and its bar while it is open. The field is there at once, so that no key is lost while the
// rest of the bar loads.
import { type ComponentProps, type KeyboardEvent, Suspense, useEffect, useRef } from 'react';
import { useActions } from '../../../actions/actions.ts';
import { useLayout } from '../../../layout/layout-store.ts';
import { loadLater } from '../../../load-later.ts';
import { useText } from '../../../text/use-text.ts';
import type { FindResults as Results } from './find-bar.tsx';
import { closeFind, findInConversation, goToMatch, useFind } from './find-store.ts';

/** Loaded when somebody looks for something. */
const FindResults = loadLater(async () => ({ default: (await import('./find-bar.tsx')).FindResults }));

type Props = ComponentProps<typeof Results>;

export function FindHost(props: Props) {
  const label = useText().conversation.find.field;
  const isOpen = useFind((find) => find.isOpen);
  // Behind another tab, the keys are those of the browser or of that tab.
  const isShown = useLayout(({ activeTab }) => activeTab === 'conversation');
  const run = (): void => findInConversation();
  useActions(isShown ? [{ id: 'conversation.find', group: 'go', label, run }] : []);
  return isOpen ? <FindBar {...props} /> : null;
}

function FindBar(props: Props) {
  const label = useText().conversation.find.field;
  const { query, count } = useFind();
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, the field is wanted again.
  useEffect(() => field.current?.select(), [count]);
  return (
    <search className="absolute top-2 right-3 z-10 flex items-center gap-1 rounded-large border border-line bg-raised p-1 shadow-floating">
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: whoever opens the bar is about to type.
        autoFocus
        type="search"
        aria-label={label}
        placeholder={label}
        value={query}
        onChange={({ target }) => useFind.setState({ query: target.value })}
        onKeyDown={onKeyDown}
        className="h-7 w-52 min-w-0 rounded-base bg-surface px-2 placeholder:text-faint max-two:w-36"
      />
      <Suspense fallback={null}>
        <FindResults {...props} />
      </Suspense>
    </search>
  );
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Escape') closeFind();
  else if (event.key === 'Enter') goToMatch(event.shiftKey ? 1 : -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
