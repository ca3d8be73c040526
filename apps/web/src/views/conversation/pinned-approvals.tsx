// What waits for the person, always in sight above the composer. Its code is loaded when first something waits.
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Spinner } from '../../ui/spinner.tsx';

const WaitingList = lazy(async () => ({
  default: (await import('../approval/waiting-list.tsx')).WaitingList,
}));

export function PinnedApprovals() {
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
