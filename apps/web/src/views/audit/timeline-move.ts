// What a key does in the picture: go to another call, or show another part.
import { fitWindow, type TimeWindow, wholeWindow, windowWith, zoomWindow } from './time-window.ts';

type Move = { goTo: number } | { show: TimeWindow };

export const closer = 0.5;

/** `at` is the call the keyboard is on, `last` the last one; `place` is where that call is, as a share of the whole. */
export function timelineMove(
  key: string,
  { at, last, shown, place }: { at: number; last: number; shown: TimeWindow; place: number },
): Move | undefined {
  const step = (shown.to - shown.from) / 4;
  switch (key) {
    case 'ArrowRight':
      return { goTo: Math.min(last, at + 1) };
    case 'ArrowLeft':
      return { goTo: Math.max(0, at - 1) };
    case 'Home':
      return { goTo: 0 };
    case 'End':
      return { goTo: last };
    case '+':
    case '=':
      return { show: windowWith(zoomWindow(shown, closer), place) };
    case '-':
      return { show: zoomWindow(shown, 1 / closer) };
    case '0':
      return { show: wholeWindow };
    case 'PageDown':
      return { show: fitWindow({ from: shown.from + step, to: shown.to + step }) };
    case 'PageUp':
      return { show: fitWindow({ from: shown.from - step, to: shown.to - step }) };
    default:
      return undefined;
  }
}
