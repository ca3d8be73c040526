// The keys of a review, and their list. They work while the focus is in it, except in text fields and controls that use the key themselves.
import type { KeyboardEvent } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type ReviewSession, useReviewLook } from './review-session.ts';

/** `blocked`: the next Enter decides nothing and asks for another one. `again`: it has asked, and the next one decides. */
export type EnterState = 'ready' | 'blocked' | 'again';

type Controls = {
  session: ReviewSession;
  isSending: boolean;
  reveal(key: string): void;
  enter: EnterState;
  setEnter(state: EnterState): void;
  apply(): void;
  help(): void;
};

/** Which key of a review was pressed; undefined when it is not the review's. */
export function reviewKey(event: KeyboardEvent<HTMLElement>): string | undefined {
  const { target, currentTarget, nativeEvent } = event;
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return undefined;
  if (target.closest('textarea, select, dialog, input:not([type="checkbox"])') !== null) return undefined;
  if (nativeEvent.ctrlKey || nativeEvent.metaKey || nativeEvent.altKey || nativeEvent.isComposing)
    return undefined;
  const isOnControl = target.closest('button, input, a, [role="menuitem"]') !== null;
  const name = nameOf(nativeEvent);
  return isOnControl && (name === ' ' || name === 'Enter') ? undefined : name;
}

export function onReviewKey(event: KeyboardEvent<HTMLElement>, controls: Controls): void {
  const name = reviewKey(event);
  const run = name === undefined ? undefined : actions[name];
  if (run === undefined) return;
  event.preventDefault();
  if (name !== 'Enter') controls.setEnter('ready');
  run(controls, event.nativeEvent.repeat);
}

const actions: Readonly<Record<string, (controls: Controls, isHeld: boolean) => void>> = {
  j: (controls) => move(controls, 1),
  k: (controls) => move(controls, -1),
  ' ': ({ session }, isHeld) => {
    if (session.at !== undefined && !isHeld) session.toggle(session.at);
  },
  a: ({ session }) => session.take(true),
  n: ({ session }) => session.take(false),
  s: ({ session }, isHeld) => {
    if (session.at !== undefined && !isHeld) session.split(session.at);
  },
  e: ({ session }) => session.beginEdit(session.at),
  u: () => useReviewLook.setState({ isSplit: false }),
  v: () => useReviewLook.setState({ isSplit: true }),
  Enter: ({ isSending, enter, setEnter, apply }, isHeld) => {
    if (isSending || isHeld) return;
    if (enter === 'blocked') setEnter('again');
    else apply();
  },
  '?': ({ help }) => help(),
};

function move({ session, reveal }: Controls, by: number): void {
  const next = session.step(by);
  if (next !== undefined) reveal(next.key);
}

// In other alphabets the place of the key tells.
function nameOf({ key, code }: { key: string; code: string }): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const letter = key.length === 1 && !/[\x20-\x7e]/.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return letter?.toLowerCase() ?? key;
}

type HelpProps = { keys: Readonly<Record<string, string>>; isOpen: boolean; onClose(): void };

export function ReviewHelp({ keys: meanings, isOpen, onClose }: HelpProps) {
  const words = useViewText().review;
  return (
    <Dialog size="small" title={words.help} isOpen={isOpen} onClose={onClose}>
      <ul>
        {Object.entries(meanings).map(([keys, meaning]) => (
          <li key={keys} className="flex items-center gap-3 py-1">
            <span className="flex-1">{meaning}</span>
            {keys.split(' / ').map((key) => (
              <Kbd key={key} keys={key} />
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
