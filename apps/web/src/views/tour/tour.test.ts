import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeCard } from './place-card.ts';
import { nextTourStep, stepAfter, type TourFacts } from './tour-steps.ts';

const nothing: TourFacts = {
  turns: 0,
  isTurnOver: false,
  isEditOver: false,
  isCommandWaiting: false,
  hasChanged: false,
  isTakenBack: false,
};

describe('the steps of the tour', () => {
  test('follow what happens in the session', () => {
    expect(stepAfter('ask', nothing)).toBe('ask');
    expect(stepAfter('ask', { ...nothing, turns: 1 })).toBe('review');
    expect(stepAfter('review', { ...nothing, turns: 1 })).toBe('review');
    expect(stepAfter('review', { ...nothing, turns: 1, isEditOver: true })).toBe('run');
    expect(stepAfter('run', { ...nothing, turns: 1, isEditOver: true, isTurnOver: true })).toBe('summary');
    expect(stepAfter('undo', { ...nothing, turns: 1, isTurnOver: true })).toBe('undo');
    expect(stepAfter('undo', { ...nothing, turns: 1, isTurnOver: true, isTakenBack: true })).toBe('end');
  });

  test('an undo that a message asks for counts when its turn is over', () => {
    expect(stepAfter('undo', { ...nothing, turns: 2, isTakenBack: true })).toBe('undo');
  });

  test('a turn that was stopped or refused leads to its summary', () => {
    expect(stepAfter('review', { ...nothing, turns: 1, isTurnOver: true })).toBe('summary');
  });

  test('where the bugs are already fixed, the tests come at once', () => {
    expect(stepAfter('review', { ...nothing, turns: 1, isCommandWaiting: true })).toBe('run');
  });

  test('where nothing was changed there is nothing to take back', () => {
    expect(nextTourStep('summary', nothing)).toBe('end');
    expect(nextTourStep('summary', { ...nothing, hasChanged: true })).toBe('undo');
    expect(nextTourStep('end', nothing)).toBeUndefined();
  });
});

test('the card is whole on the screen, and beside its thing where there is room', () => {
  const length = fc.integer({ min: 1, max: 1000 });
  const at = fc.integer({ min: 0, max: 900 });
  fc.assert(
    fc.property(at, at, length, length, (left, top, width, height) => {
      const card = { width: 336, height: 220 };
      const screen = { width: 1440, height: 900 };
      const place = placeCard({ left, top, width, height }, card, screen);
      expect(place.left).toBeGreaterThanOrEqual(8);
      expect(place.top).toBeGreaterThanOrEqual(8);
      expect(place.left + card.width).toBeLessThanOrEqual(1432);
      expect(place.top + card.height).toBeLessThanOrEqual(892);
      const hasRoom = left + width <= 1440 - 356 || left >= 356 || top >= 240 || top + height <= 900 - 240;
      const isBeside =
        place.left >= left + width ||
        place.left + card.width <= left ||
        place.top >= top + height ||
        place.top + card.height <= top;
      if (hasRoom) expect(isBeside).toBe(true);
    }),
  );
});
