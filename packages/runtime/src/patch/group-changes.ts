/** Which changes share a hunk: those so near each other that their context would touch. */
import type { LineChange } from '@codelab/protocol';

export type ChangeGroup = [LineChange, ...LineChange[]];

export function groupChanges(changes: readonly LineChange[], context: number): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.oldStart - last.oldEnd <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}
