// Holds back text from where a call written as text may begin, so that nobody is shown what turns out to be a call.
import { callMarks } from './marked-calls.ts';

export type TextGate = {
  /** What of the delta may be shown now, after what was held before. */
  pass(delta: string): string;
  /** What was held to the end; nothing is held any more. */
  rest(): string;
};

const openings = ['<tool_call>', '<function=', ...callMarks];

export function textGate(): TextGate {
  let held = '';
  let isClosed = false;
  return {
    pass(delta) {
      held += delta;
      if (isClosed) return '';
      const at = openingIn(held);
      isClosed = at.isWhole;
      const shown = held.slice(0, at.index);
      held = held.slice(at.index);
      return shown;
    },
    rest() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** Where a whole opening stands, or where the text ends in the beginning of one, or its end. */
function openingIn(text: string): { index: number; isWhole: boolean } {
  const whole = openings.map((opening) => text.indexOf(opening)).filter((index) => index !== -1);
  if (whole.length > 0) return { index: Math.min(...whole), isWhole: true };
  const last = text.lastIndexOf('<');
  const tail = last === -1 ? '' : text.slice(last);
  const mayBegin = tail !== '' && openings.some((opening) => opening.startsWith(tail));
  return { index: mayBegin ? last : text.length, isWhole: false };
}
