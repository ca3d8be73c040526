// Chooses the facts of a plan that a card shows, and where: nothing twice, and nothing surprising left out.
import type { Touch } from '@codelab/protocol';

/** The notes after these are among the details. */
export const fewNotes = 3;

/** Whether a sentence is part of what is said already. */
export function isRepeated(sentence: string, text: string): boolean {
  return text.toLowerCase().includes(sentence.trim().toLowerCase());
}

/** `./a/` and `a` are spellings of one place; anything else leads somewhere that its name does not say. */
export function isRedirected({ asked, path }: Touch): boolean {
  const plain = asked.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  return plain !== path && !(path === '.' && plain === '');
}

/** Where a call goes, without repeating what goes with its folder: such places are counted. */
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
