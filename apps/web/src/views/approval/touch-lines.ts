// Where a call goes, without repeating what goes with its folder: such places are counted.
import type { Touch } from '@codelab/protocol';

export type TouchLine = { touch: Touch; below: number };

export function touchLines(touches: readonly Touch[]): TouchLine[] {
  const [first] = touches;
  if (first === undefined) return [];
  const isBelow = (touch: Touch): boolean =>
    touch.path.startsWith(`${first.path}/`) && touch.access === first.access && touch.asked === touch.path;
  const below = touches.filter(isBelow).length;
  return touches
    .filter((touch) => !isBelow(touch))
    .map((touch) => ({ touch, below: touch === first ? below : 0 }));
}
