// A ring around what the tour speaks of. It catches no pointer.
import type { AnchorBox } from './use-anchor.ts';

const room = 4;

export function TourRing({ box: { left, top, width, height } }: { box: AnchorBox }) {
  return (
    <div
      aria-hidden
      style={{ left: left - room, top: top - room, width: width + 2 * room, height: height + 2 * room }}
      className="pointer-events-none fixed z-30 rounded-large outline-2 outline-accent outline-offset-0 transition-all duration-200"
    />
  );
}
