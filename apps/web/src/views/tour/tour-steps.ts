// The steps of the tour, and what in the session leads from one to the next.
import type { SessionModel } from '../../session/session-model.ts';

export const tourSteps = ['ask', 'review', 'run', 'summary', 'undo', 'end'] as const;
export type TourStep = (typeof tourSteps)[number];

export function isTourStep(text: string): text is TourStep {
  return tourSteps.some((step) => step === text);
}

/** What the tour looks at. */
export type TourFacts = {
  turns: number;
  isTurnOver: boolean;
  /** An edit was decided and is over, whatever came of it. */
  isEditOver: boolean;
  /** It wants to run something; where the bugs are mended already, that comes without an edit. */
  isCommandWaiting: boolean;
  /** There is something to take back. */
  hasChanged: boolean;
};

export function tourFacts({
  turns,
  calls,
  pending,
}: Pick<SessionModel, 'turns' | 'calls' | 'pending'>): TourFacts {
  const edits = [...calls.values()].filter(({ plan }) => plan?.diff !== undefined);
  return {
    turns: turns.length,
    isTurnOver: turns.length > 0 && turns.at(-1)?.end !== undefined,
    isEditOver: edits.some(({ outcome }) => outcome !== undefined),
    isCommandWaiting: pending.some(({ kind }) => kind === 'execute'),
    hasChanged: edits.some(({ outcome }) => outcome?.status === 'completed' && outcome.effects.length > 0),
  };
}

/** The same step when nothing has happened; `turnsBefore` is how many there were when it began. */
export function stepAfter(step: TourStep, facts: TourFacts, turnsBefore: number): TourStep {
  switch (step) {
    case 'ask':
      return facts.turns > 0 ? 'review' : step;
    case 'review':
      if (facts.isTurnOver) return 'summary';
      return facts.isEditOver || facts.isCommandWaiting ? 'run' : step;
    case 'run':
      return facts.isTurnOver ? 'summary' : step;
    case 'undo':
      return facts.turns > turnsBefore && facts.isTurnOver ? 'end' : step;
    case 'summary':
    case 'end':
      return step;
  }
}

/** Where the person goes on to. */
export function nextStep(step: TourStep, { hasChanged }: TourFacts): TourStep | undefined {
  if (step === 'summary' && !hasChanged) return 'end';
  return tourSteps[tourSteps.indexOf(step) + 1];
}
