// The buttons of a step of the tour.
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { currentSession } from '../../session/current-session.ts';
import { useSessionStore } from '../../session/session-store.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';
import { sendMessage } from '../conversation/composer/send-message.ts';
import { nextTourStep, type TourStep, tourFacts } from './tour-steps.ts';
import { endTour, goToStep } from './tour-store.ts';

export function TourButtons({ step, isWaiting }: { step: TourStep; isWaiting: boolean }) {
  const words = useViewText().tour;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      {step !== 'end' && (
        <Button tone="quiet" size="small" onClick={endTour}>
          {words.skip}
        </Button>
      )}
      <span className="flex-1" />
      {isWaiting && (
        <span role="status" className="flex items-center gap-1.5 text-small text-muted">
          <Spinner className="size-3.5" />
          {words.waiting}
        </span>
      )}
      <Actions step={step} />
    </div>
  );
}

function Actions({ step }: { step: TourStep }) {
  const words = useViewText().tour;
  const goOn = (): void => goOnFrom(step);
  switch (step) {
    case 'ask':
      return <WorkButton label={words.ask.act} work={() => sendMessage(words.prompt, { isTyped: false })} />;
    case 'review':
    case 'run':
      return null;
    case 'summary':
      return (
        <Button tone="strong" onClick={goOn}>
          {words.next}
        </Button>
      );
    case 'undo':
      return (
        <>
          <Button onClick={goOn}>{words.next}</Button>
          <WorkButton label={words.undo.act} work={() => api.changes.undo(currentSession())} />
        </>
      );
    case 'end':
      return <EndButtons />;
  }
}

/** Disabled while its work runs. */
function WorkButton({ label, work }: { label: string; work(): Promise<unknown> }) {
  const [isBusy, setIsBusy] = useState(false);
  const run = (): void => {
    setIsBusy(true);
    work()
      .catch(toastError)
      .finally(() => setIsBusy(false));
  };
  return (
    <Button tone="strong" disabled={isBusy} onClick={run}>
      {label}
    </Button>
  );
}

function EndButtons() {
  const words = useViewText().tour;
  return (
    <>
      <Button
        onClick={() => {
          endTour();
          showView('settings');
        }}
      >
        {words.end.act}
      </Button>
      <Button tone="strong" onClick={endTour}>
        {words.done}
      </Button>
    </>
  );
}

function goOnFrom(step: TourStep): void {
  const next = nextTourStep(step, tourFacts(useSessionStore.getState().model));
  if (next === undefined) endTour();
  else goToStep(next);
}
