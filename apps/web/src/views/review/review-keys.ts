// The keys of a review. They work while the focus is in it, and never where one types or where a control has the key for itself.
import type { KeyboardEvent } from 'react';
import { useReviewLook } from './review-store.ts';
import type { ReviewSession } from './use-review-session.ts';

type Around = {
  session: ReviewSession;
  isSending: boolean;
  reveal(key: string): void;
  apply(): void;
  help(): void;
};

export function onReviewKey(event: KeyboardEvent<HTMLElement>, around: Around): void {
  const { target, currentTarget, nativeEvent } = event;
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return;
  if (target.closest('textarea, select, dialog, input:not([type="checkbox"])') !== null) return;
  if (nativeEvent.ctrlKey || nativeEvent.metaKey || nativeEvent.altKey || nativeEvent.isComposing) return;
  const isOnControl = target.closest('button, input, a, [role="menuitem"]') !== null;
  const name = nameOf(nativeEvent);
  if (isOnControl && (name === ' ' || name === 'Enter')) return;
  const run = actions[name];
  if (run === undefined) return;
  event.preventDefault();
  run(around, nativeEvent.repeat);
}

const actions: Readonly<Record<string, (around: Around, isHeld: boolean) => void>> = {
  j: (around) => move(around, 1),
  k: (around) => move(around, -1),
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
  Enter: ({ isSending, apply }, isHeld) => {
    if (!isSending && !isHeld) apply();
  },
  '?': ({ help }) => help(),
};

function move({ session, reveal }: Around, by: number): void {
  const next = session.step(by);
  if (next !== undefined) reveal(next.key);
}

// In other alphabets the place of the key tells.
function nameOf({ key, code }: { key: string; code: string }): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const letter = key.length === 1 && !/[\x20-\x7e]/.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return letter?.toLowerCase() ?? key;
}
