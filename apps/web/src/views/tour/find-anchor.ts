// The real thing on the screen that a step speaks of.
import { currentText } from '../../text/use-text.ts';
import type { TourStep } from './tour-steps.ts';

export const anchorOf: Record<TourStep, () => Element | null | undefined> = {
  ask: () => labelled(currentText().conversation.message)?.closest('.rounded-large'),
  review: waiting,
  run: waiting,
  summary: () => [...document.querySelectorAll('[role="log"] article')].at(-1),
  undo: () => document.getElementById('side'),
  end: () => labelled(currentText().frame.palette),
};

// While the pieces are reviewed, the review is what it is about.
function waiting(): Element | null {
  return document.querySelector('[data-review-list]') ?? document.querySelector('[data-approval]');
}

function labelled(label: string): Element | undefined {
  return [...document.querySelectorAll('[aria-label]')].find(
    (element) => element.getAttribute('aria-label') === label && element.tagName !== 'SECTION',
  );
}
