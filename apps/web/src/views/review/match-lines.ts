// Which lines of two lists are the same, in order: the longest common subsequence, as pairs of indexes.

// A table beyond this would be felt; then only what both begin and end with counts as the same.
const most = 4_000_000;

export function matchLines(a: readonly string[], b: readonly string[]): [number, number][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const middle = common(a.slice(start, a.length - tail), b.slice(start, b.length - tail));
  return [
    ...Array.from({ length: start }, (_, i): [number, number] => [i, i]),
    ...middle.map(([i, j]): [number, number] => [i + start, j + start]),
    ...Array.from({ length: tail }, (_, i): [number, number] => [a.length - tail + i, b.length - tail + i]),
  ];
}

function common(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length > most) return [];
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i * width + j] =
        a[i] === b[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}
