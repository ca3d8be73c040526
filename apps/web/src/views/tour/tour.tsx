// The tour: a card beside its subject. It takes no focus and blocks nothing; everything on the page works as always.
import { Bot } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { showView } from '../../layout/show-view.ts';
import { useColumns } from '../../layout/use-columns.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { placeCard } from './place-card.ts';
import { TourButtons } from './tour-buttons.tsx';
import { stepAfter, type TourStep, tourFacts, tourSteps } from './tour-steps.ts';
import { endTour, goToStep } from './tour-store.ts';
import { type AnchorBox, anchorOf, useAnchor } from './use-anchor.ts';

export function Tour({ step }: { step: TourStep }) {
  useTourProgress(step);
  const words = useViewText().tour;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const anchor = useAnchor(anchorOf[step]);
  const height = useHeight(card, step);
  const isPhone = useColumns() === 1;
  const isWaiting = useSessionStore(
    ({ model }) => (step === 'review' || step === 'run') && model.pending.length === 0,
  );
  useActions([
    { id: 'tour.focus', group: 'help', label: words.name, run: () => card.current?.focus() },
    { id: 'tour.skip', group: 'help', label: words.skip, run: endTour },
  ]);
  const size = { width: isPhone ? innerWidth - 16 : 336, height };
  const screen = { width: innerWidth, height: innerHeight };
  const place = isPhone ? { left: 8, top: 52 } : placeCard(anchor, size, screen);
  return (
    <>
      {anchor !== undefined && <TourRing box={anchor} />}
      <section
        ref={card}
        role="dialog"
        aria-modal="false"
        aria-labelledby={id}
        tabIndex={-1}
        data-tour={step}
        onKeyDown={({ key }) => key === 'Escape' && endTour()}
        style={{ ...place, width: size.width }}
        className="fixed z-40 flex flex-col gap-2 rounded-large border border-accent bg-raised p-3.5 shadow-floating transition-[left,top] duration-200"
      >
        <StepText step={step} titleId={id} hasBadge={step === 'ask' || !isPhone} />
        <TourButtons step={step} isWaiting={isWaiting} />
      </section>
    </>
  );
}

type StepTextProps = { step: TourStep; titleId: string; hasBadge: boolean };

function StepText({ step, titleId, hasBadge }: StepTextProps) {
  const words = useViewText().tour;
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5">
      <p className="flex items-center gap-2 text-small text-muted">
        <span className="flex-1">{words.step(tourSteps.indexOf(step) + 1, tourSteps.length)}</span>
        {hasBadge && (
          <Badge tone="accent" icon={<Bot aria-hidden className="size-3" />}>
            {words.scripted}
          </Badge>
        )}
      </p>
      <h2 id={titleId} className="text-title font-semibold">
        {words[step].title}
      </h2>
      <p className="text-muted">{words[step].text}</p>
      {step === 'ask' && <p className="rounded-base bg-sunken px-2.5 py-1.5 font-medium">{words.prompt}</p>}
    </div>
  );
}

/** How high the card is with this step's words, for placing it. */
function useHeight(card: React.RefObject<HTMLElement | null>, step: TourStep): number {
  const [height, setHeight] = useState(220);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, another height.
  useEffect(() => {
    if (card.current === null) return;
    const observer = new ResizeObserver(() => setHeight(card.current?.offsetHeight ?? 220));
    observer.observe(card.current);
    return () => observer.disconnect();
  }, [step]);
  return height;
}

/** Goes on with the tour as things happen in the session, and shows what the next step is about. */
function useTourProgress(step: TourStep): void {
  const head = useSession(({ id, lastSeq }) => `${id} ${lastSeq}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model changes in place; its head tells that it did.
  useEffect(() => {
    const next = stepAfter(step, tourFacts(useSessionStore.getState().model));
    if (next !== step) goToStep(next);
  }, [head, step]);
  useEffect(() => {
    // The review is decided: the tour continues in the conversation.
    if (step === 'run' || step === 'summary' || step === 'end') showView('conversation');
    if (step === 'undo') showView('changes');
  }, [step]);
}

/** A ring around what the tour speaks of, on its own edge: two lines would look like a mistake. It catches no pointer. */
function TourRing({ box }: { box: AnchorBox }) {
  return (
    <div
      aria-hidden
      style={{ ...box }}
      className="pointer-events-none fixed z-30 rounded-large outline-2 -outline-offset-1 outline-accent transition-all duration-200"
    />
  );
}
