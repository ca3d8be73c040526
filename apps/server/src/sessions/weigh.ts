// How much memory a value holds, roughly and in few steps: what counts are its texts.

const perValue = 16;

export function weigh(value: unknown): number {
  if (typeof value === 'string') return perValue + value.length;
  if (typeof value !== 'object' || value === null) return perValue;
  const items = value as Record<string, unknown>;
  let sum = perValue;
  for (const key in items) sum += weigh(items[key]);
  return sum;
}
