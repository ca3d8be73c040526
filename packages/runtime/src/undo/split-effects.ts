// Effects that can't be taken back at once: where a file became a folder, or a folder a file, one has to go before the other can come;
// and what a folder's mode forbids has to wait for the mode.
import type { Effect } from '@codelab/protocol';

export function splitEffects(effects: readonly Effect[]): Effect[][] {
  const groups: Effect[][] = [];
  let group: Effect[] = [];
  let removed = new Set<string>();
  for (const effect of effects) {
    const [last = effect] = group.slice(-1);
    if (removed.has(effect.path) || isFolderMode(last) !== isFolderMode(effect)) {
      groups.push(group);
      group = [];
      removed = new Set();
    }
    if (effect.op === 'delete') removed.add(effect.path);
    group.push(effect);
  }
  return [...groups, group];
}

/** A folder that is the same but for its mode. */
export function isFolderMode({ before, after }: Effect): boolean {
  return before?.type === 'directory' && after?.type === 'directory';
}
