// The upper end of an axis: the next round number, so that its lines are round as well.
export function axisMaximum(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (
    ([1, 1.2, 1.6, 2, 4, 5, 6, 8, 10].find((step) => step * power >= most && isRound(step * power)) ?? 10) *
    power
  );
}

// Things that are counted have no halves: what is below ten stays with whole lines.
function isRound(top: number): boolean {
  return top < 12 || top % 4 === 0;
}
