// Starts the tour on the first visit with the sample workspace, and offers it again later.
import { Suspense, useEffect } from 'react';
import { useActions } from '../../actions/actions.ts';
import { currentSession } from '../../session/current-session.ts';
import { useSettings } from '../../settings-store.ts';
import { useText } from '../../text/use-text.ts';
import { loadView } from '../../view.ts';
import { fitsTour, isTourNew, startTour, useTour } from './tour-store.ts';

const Tour = loadView(async () => ({ default: (await import('./tour.tsx')).Tour }));

export function TourHost() {
  const words = useText().tour;
  const settings = useSettings();
  const step = useTour((state) => state.step);
  const isFit = settings !== undefined && fitsTour(settings);
  useEffect(() => {
    // With an open session this is not the first visit.
    if (isFit && isTourNew() && currentSession() === '') startTour();
  }, [isFit]);
  useActions(isFit ? [{ id: 'tour.start', group: 'help', label: words.start, run: startTour }] : []);
  if (step === undefined || !isFit) return null;
  return (
    <Suspense fallback={null}>
      <Tour step={step} />
    </Suspense>
  );
}
