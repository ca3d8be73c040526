// The steps of the tour, and the session events that lead from one to the next.
import type { CallModel, SessionModel } from '../../session/session-model.ts';

export const tourSteps = ['ask', 'review', 'run', 'summary', 'undo', 'end'] as const;
export type TourStep = (typeof tourSteps)[number];

export function isTourStep(text: string): text is TourStep {
  return tourSteps.some((step) => step === text);
}

/** The facts of the session that the tour depends on. */
export type TourFacts = {
  turns: number;
  isTurnOver: boolean;
  /** An edit was decided and is over, whatever came of it. */
  isEditOver: boolean;
  /** The agent wants to run a command; where the bugs are already fixed, without an edit before it. */
  isCommandWaiting: boolean;
  /** There is something to take back. */
  hasChanged: boolean;
  /** Something was taken back, by whichever button or message. */
  isTakenBack: boolean;
};

const takesBack = new Set(['undo', 'discard_changes']);

export function tourFacts({
  turns,
  calls,
  touched,
  pending,
}: Pick<SessionModel, 'turns' | 'calls' | 'touched' | 'pending'>): TourFacts {
  const isEdit = ({ call, plan, outcome }: CallModel): boolean =>
    plan?.diff !== undefined && outcome !== undefined && !takesBack.has(call.tool);
  const changes = touched.filter(({ tool, diff }) => diff !== undefined && !takesBack.has(tool));
  return {
    turns: turns.count,
    isTurnOver: turns.latest?.end !== undefined,
    isEditOver: changes.length > 0 || [...calls.values()].some(isEdit),
    isCommandWaiting: pending.some(({ kind }) => kind === 'execute'),
    hasChanged: changes.length > 0,
    isTakenBack: touched.some(({ tool }) => takesBack.has(tool)),
  };
}

/** The same step when nothing has happened. */
export function stepAfter(step: TourStep, facts: TourFacts): TourStep {
  switch (step) {
    case 'ask':
      return facts.turns > 0 ? 'review' : step;
    case 'review':
      if (facts.isTurnOver) return 'summary';
      return facts.isEditOver || facts.isCommandWaiting ? 'run' : step;
    case 'run':
      return facts.isTurnOver ? 'summary' : step;
    case 'undo':
      return facts.isTakenBack && facts.isTurnOver ? 'end' : step;
    case 'summary':
    case 'end':
      return step;
  }
}

/** Where the person goes on to. */
export function nextTourStep(step: TourStep, { hasChanged }: TourFacts): TourStep | undefined {
  if (step === 'summary' && !hasChanged) return 'end';
  return tourSteps[tourSteps.indexOf(step) + 1];
}
