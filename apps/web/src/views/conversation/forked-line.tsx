// Where a session goes on from: what was said before stands there.
import { openSession } from '../../session/current-session.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';

export function ForkedLine({ from }: { from: string }) {
  const words = useText().sessions;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-small text-muted before:h-px before:w-4 before:bg-line">
      {words.goesOn}
      <Button size="small" tone="quiet" onClick={() => openSession(from)}>
        {words.original}
      </Button>
    </p>
  );
}
