// Where find in the conversation is asked for, and its bar while it is open.
import { type ComponentProps, Suspense } from 'react';
import { useActions } from '../../../actions/actions.ts';
import { useLayout } from '../../../layout/layout-store.ts';
import { loadLater } from '../../../load-later.ts';
import { useText } from '../../../text/use-text.ts';
import type { FindBar as Bar } from './find-bar.tsx';
import { findInConversation, useFind } from './find-store.ts';

/** Loaded when somebody looks for something. */
const FindBar = loadLater(async () => ({ default: (await import('./find-bar.tsx')).FindBar }));

export function FindHost(props: ComponentProps<typeof Bar>) {
  const label = useText().conversation.find.field;
  const isOpen = useFind((find) => find.isOpen);
  // Behind another tab, the keys are those of the browser or of that tab.
  const isShown = useLayout(({ activeTab }) => activeTab === 'conversation');
  const run = (): void => findInConversation();
  useActions(isShown ? [{ id: 'conversation.find', group: 'go', label, run }] : []);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <FindBar {...props} />
    </Suspense>
  );
}
