/** Writes a JSON array of items that are JSON already. */
import type { Layout } from './layout-of.ts';

export function writeArray(items: readonly string[], { first, next, close }: Layout): string {
  return items.length === 0 ? '[]' : `[${first}${items.join(`,${next}`)}${close}]`;
}
