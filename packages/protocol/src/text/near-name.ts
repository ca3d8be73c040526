// Suggests a name for a misspelled one.

/** The most likely intended name: it begins with the typed one, or differs in a letter or two. */
export function nearestName(typedName: string, names: readonly string[]): string | undefined {
  const lowerName = typedName.toLowerCase();
  const completion = lowerName === '' ? undefined : names.find((name) => name.startsWith(lowerName));
  if (completion !== undefined) return completion;
  const ranked = names
    .map((name) => ({ name, steps: distance(lowerName, name) }))
    .toSorted((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= 2 && best.steps < lowerName.length ? best.name : undefined;
}

/** The number of letters to insert, delete, replace or swap with a neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= Math.min(a.length, 40); i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
