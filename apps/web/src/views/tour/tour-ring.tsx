// A ring around what the tour speaks of, on its own edge: two lines would look like a mistake. It catches no pointer.
import type { AnchorBox } from './use-anchor.ts';

export function TourRing({ box }: { box: AnchorBox }) {
  return (
    <div
      aria-hidden
      style={{ ...box }}
      className="pointer-events-none fixed z-30 rounded-large outline-2 -outline-offset-1 outline-accent transition-all duration-200"
    />
  );
}
