// Where the card of the tour stands: beside what it speaks of, never over it where there is room, always whole on the screen.
type Box = { left: number; top: number; width: number; height: number };
type Size = { width: number; height: number };

const gap = 12;
const edge = 8;

export function placeCard(anchor: Box | undefined, card: Size, screen: Size): { left: number; top: number } {
  if (anchor === undefined) return inside({ left: edge, top: screen.height }, card, screen);
  const middle = anchor.left + anchor.width / 2 - card.width / 2;
  const level = anchor.top + anchor.height / 2 - card.height / 2;
  // Sideways first: what comes above and below is what one reads next.
  const places = [
    { left: anchor.left + anchor.width + gap, top: level },
    { left: anchor.left - card.width - gap, top: level },
    { left: middle, top: anchor.top - card.height - gap },
    { left: middle, top: anchor.top + anchor.height + gap },
  ];
  const fitting = places.find((place) => !covers({ ...inside(place, card, screen), ...card }, anchor));
  return inside(fitting ?? { left: anchor.left + anchor.width, top: anchor.top }, card, screen);
}

function inside({ left, top }: { left: number; top: number }, card: Size, screen: Size) {
  return {
    left: Math.max(edge, Math.min(left, screen.width - card.width - edge)),
    top: Math.max(edge, Math.min(top, screen.height - card.height - edge)),
  };
}

function covers(box: Box, other: Box): boolean {
  return (
    box.left < other.left + other.width &&
    other.left < box.left + box.width &&
    box.top < other.top + other.height &&
    other.top < box.top + box.height
  );
}
