// Sorts effects into an order in which they can have happened, so that undone from the end each finds the folders it needs: content, then
// folders deleted from the inside out, folders created from the outside in, new files. The mode of a folder comes first or last, so that
// it never blocks changes inside the folder.
import type { Effect, FileState } from '@codelab/protocol';
import { isFolderMode } from './find-changes.ts';

export function orderEffects(effects: readonly Effect[]): Effect[] {
  const ranked = effects.map((effect) => ({
    effect,
    rank: rankOf(effect),
    depth: effect.path.split('/').length,
  }));
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.rank === rankOfRemoved ? b.depth - a.depth : a.depth - b.depth) ||
      (a.effect.path < b.effect.path ? -1 : 1),
  );
  return ranked.map(({ effect }) => effect);
}

const rankOfRemoved = 2;

function rankOf(effect: Effect): number {
  const { op, before } = effect;
  if (isFolderMode(effect)) return isWritable(before) ? 5 : 0;
  if (op === 'delete' && before?.type === 'directory') return rankOfRemoved;
  if (op === 'mkdir') return 3;
  return op === 'create' ? 4 : 1;
}

function isWritable(folder: FileState | null): boolean {
  return ((folder?.mode ?? 0) & 0o200) !== 0;
}
