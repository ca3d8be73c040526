// Goes on with the tour as things happen in the session, and shows what the next step speaks of.
import { useEffect, useRef } from 'react';
import { showView } from '../../layout/show-view.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { stepAfter, type TourStep, tourFacts } from './tour-steps.ts';
import { goToStep } from './tour-store.ts';

export function useTourProgress(step: TourStep): void {
  const head = useSession(({ id, lastSeq }) => `${id} ${lastSeq}`);
  const began = useRef({ step, turns: useSessionStore.getState().model.turns.length });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model changes in place; its head tells that it did.
  useEffect(() => {
    const facts = tourFacts(useSessionStore.getState().model);
    if (began.current.step !== step) began.current = { step, turns: facts.turns };
    const next = stepAfter(step, facts, began.current.turns);
    if (next !== step) goToStep(next);
  }, [head, step]);
  useEffect(() => {
    // What was reviewed is decided: the talk goes on in the conversation.
    if (step === 'run' || step === 'summary' || step === 'end') showView('conversation');
    if (step === 'undo') showView('changes');
  }, [step]);
}
