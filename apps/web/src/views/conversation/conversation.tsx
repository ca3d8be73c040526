// The conversation: what was said and done, and where one says the next thing.

import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Suggestions } from '../tour/suggestions.tsx';
import { useTour } from '../tour/tour-store.ts';
import { useLoadCatalogue } from './catalogue-store.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';

export function Conversation() {
  useLoadCatalogue();
  const text = useText();
  const id = useSession((model) => model.id);
  const isEmpty = useSession(({ entries, live }) => entries.length === 0 && live === undefined);
  return (
    <section aria-label={text.conversation.name} className="flex h-full min-h-0 flex-col">
      {isEmpty ? <Welcome /> : <MessageList key={id} />}
      <PinnedApprovals />
      <Composer />
    </section>
  );
}

/** What stands where nothing has been said yet. */
function Welcome() {
  const text = useText();
  const isTouring = useTour(({ step }) => step !== undefined);
  const isLoading = useSessionStore(({ connection }) => connection === 'loading');
  return (
    <div
      className={cx(
        'flex min-h-0 flex-1 flex-col items-center justify-center-safe gap-2 overflow-y-auto p-6 text-center',
        // On a phone the card of the tour has the upper half.
        isTouring && 'max-two:justify-end',
      )}
    >
      {isLoading ? (
        <Spinner label={text.frame.connection.loading} />
      ) : (
        <>
          <p className="text-[1.375rem] leading-tight font-semibold tracking-tight">
            {text.conversation.welcome}
          </p>
          <p className="max-w-96 text-muted">{text.conversation.welcomeHint}</p>
          <Suggestions />
        </>
      )}
    </div>
  );
}

/** What waits for the person, always in sight above the composer. Its code is loaded when first something waits. */
const WaitingList = lazy(async () => ({
  default: (await import('../approval/waiting-list.tsx')).WaitingList,
}));

function PinnedApprovals() {
  const text = useText();
  const id = useSession((model) => model.id);
  const isWaiting = useSession(({ pending }) => pending.length > 0);
  const [wasWaiting, setWasWaiting] = useState(isWaiting);
  useEffect(() => {
    if (isWaiting) setWasWaiting(true);
  }, [isWaiting]);
  if (!wasWaiting) return null;
  return (
    <Suspense fallback={<Spinner label={text.frame.loading} />}>
      <WaitingList key={id} />
    </Suspense>
  );
}
