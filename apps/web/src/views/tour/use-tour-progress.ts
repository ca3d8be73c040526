// Goes on with the tour as things happen in the session, and shows what the next step speaks of.
import { useEffect } from 'react';
import { showView } from '../../layout/show-view.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { stepAfter, type TourStep, tourFacts } from './tour-steps.ts';
import { goToStep } from './tour-store.ts';

export function useTourProgress(step: TourStep): void {
  const head = useSession(({ id, lastSeq }) => `${id} ${lastSeq}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model changes in place; its head tells that it did.
  useEffect(() => {
    const next = stepAfter(step, tourFacts(useSessionStore.getState().model));
    if (next !== step) goToStep(next);
  }, [head, step]);
  useEffect(() => {
    // What was reviewed is decided: the talk goes on in the conversation.
    if (step === 'run' || step === 'summary' || step === 'end') showView('conversation');
    if (step === 'undo') showView('changes');
  }, [step]);
}
