// Which file this is and which version of it: any change of content, mode, name count or replacement changes the text.
import type { BigIntStats } from 'node:fs';

export function identity(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mode}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
