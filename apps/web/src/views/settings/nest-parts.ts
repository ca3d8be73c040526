// Parts of a shell line as a tree, from how deep each of them lies.
import type { PolicyVerdict } from '@codelab/api';

type Part = PolicyVerdict['parts'][number];
export type PartNode = { key: string; part: Part; inner: PartNode[] };

export function nestParts(parts: readonly Part[], depths: readonly number[] = []): PartNode[] {
  const top: PartNode[] = [];
  const open: { depth: number; node: PartNode }[] = [];
  for (const [at, part] of parts.entries()) {
    const depth = depths[at] ?? 0;
    const node: PartNode = { key: String(at), part, inner: [] };
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    (open.at(-1)?.node.inner ?? top).push(node);
    open.push({ depth, node });
  }
  return top;
}
