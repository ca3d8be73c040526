// Says when the session is not live: loading, lost, or not to be had. Read aloud when it changes.
import { useSessionStore } from '../session/session-store.ts';
import { useText } from '../text/use-text.ts';
import { Spinner } from '../ui/spinner.tsx';

export function ConnectionLine() {
  const text = useText();
  const connection = useSessionStore((state) => state.connection);
  const problem = useSessionStore((state) => state.problem);
  return (
    <div role="status" aria-live="polite">
      {connection === 'lost' && (
        <p className="flex items-center justify-center gap-2 border-b border-warn/30 bg-warn-soft px-3 py-1 text-small text-warn">
          <Spinner className="size-3.5 text-current" />
          {text.frame.connection.lost}
        </p>
      )}
      {connection === 'gone' && (
        <p className="border-b border-bad/30 bg-bad-soft px-3 py-1 text-center text-small text-bad">
          {text.frame.connection.gone} {problem}
        </p>
      )}
      {connection === 'loading' && <span className="sr-only">{text.frame.connection.loading}</span>}
    </div>
  );
}
