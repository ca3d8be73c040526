// `1,3-4` as the numbers it means, in order; undefined when it is anything else.

export function parseHunks(text: string, count: number): number[] | undefined {
  const take = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, from = '', to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === '' || first < 1 || last > count || first > last) return undefined;
    for (let n = first; n <= last; n++) take.add(n);
  }
  return take.size === 0 ? undefined : [...take].sort((a, b) => a - b);
}
