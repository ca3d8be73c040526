// Suggestions for the first message, by model. The demo model is named as a script.
import { Bot, CornerDownRight } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useSettings } from '../../settings-store.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { toastError } from '../../ui/toast.tsx';
import { loadView } from '../../view.ts';
import { sendMessage } from '../conversation/composer/send-message.ts';
import { fitsTour, useTour } from './tour-store.ts';

/** Loaded only where there is no model yet. */
const ConnectModel = loadView(async () => ({
  default: (await import('../connect/connect-model.tsx')).ConnectModel,
}));

export function Suggestions() {
  const words = useText().tour;
  const settings = useSettings();
  const isTouring = useTour(({ step }) => step !== undefined);
  const [isBusy, setIsBusy] = useState(false);
  if (settings === undefined) return null;
  if (settings.model === '')
    return (
      <Suspense fallback={null}>
        <ConnectModel />
      </Suspense>
    );
  const { is_demo: isDemo } = settings;
  // Outside of its sample the demo model has only its plain requests to offer.
  const offered = isDemo ? (fitsTour(settings) ? words.forDemo : ['list', 'help']) : words.forModel;
  const say = (message: string): void => {
    setIsBusy(true);
    sendMessage(message, { isTyped: false })
      .catch(toastError)
      .finally(() => setIsBusy(false));
  };
  return (
    <div className="mt-4 flex w-full max-w-md flex-col gap-1.5">
      {/* The card of the tour says it, too: once is enough. */}
      {isDemo && !isTouring && (
        <Badge tone="accent" icon={<Bot aria-hidden className="size-3" />} className="mb-1 self-center">
          {words.scripted}
        </Badge>
      )}
      <p className="text-small text-muted">{words.suggestions}</p>
      <ul className="flex flex-col gap-1.5">
        {offered.map((message) => (
          <li key={message}>
            <button
              type="button"
              disabled={isBusy}
              onClick={() => say(message)}
              className="flex w-full items-center gap-2 rounded-base border border-line bg-raised px-3 py-2 text-left hover:border-line-strong hover:bg-hover disabled:opacity-50"
            >
              <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-faint" />
              <span className="min-w-0 flex-1">{message}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
