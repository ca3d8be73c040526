// What stands where nothing has been said yet.
import { useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Suggestions } from '../tour/suggestions.tsx';
import { useTour } from '../tour/tour-store.ts';

export function Welcome() {
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
