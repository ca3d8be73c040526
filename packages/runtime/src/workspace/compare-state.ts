// Is what stands at a place the state before an effect, the one after it, or neither?
import { readlinkSync } from 'node:fs';
import type { Effect, FileState } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import type { Located } from './locate.ts';
import { openRegular, readWhole } from './read-bytes.ts';

export type FoundState = 'old' | 'new' | 'other';
export type Found = { path: string; found: FoundState };

export function compareState(effect: Effect, place: Located): FoundState {
  // The same before and after, but for its mode or its inode: looked at last, as the new one.
  if (isState(effect.after, place)) return 'new';
  return isState(effect.before, place) ? 'old' : 'other';
}

function isState(state: FileState | null, place: Located): boolean {
  const { stat } = place;
  if (state === null || stat === undefined) return state === null && stat === undefined;
  switch (state.type) {
    case 'directory':
      return stat.isDirectory();
    case 'symlink':
      return stat.isSymbolicLink() && digest(readlinkSync(place.parent.at(place.name))) === state.digest;
    case 'file':
      return stat.isFile() && isFile(state, place);
    case 'other':
      return !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();
  }
}

// Its size first: it may be larger than can be read.
function isFile(state: FileState, place: Located): boolean {
  if (Number(place.stat?.size) !== state.size) return false;
  if (Number((place.stat?.mode ?? 0n) & 0o7777n) !== state.mode) return false;
  if (state.digest === undefined) return true;
  using file = openRegular(place);
  return digest(readWhole(file, place.path)) === state.digest;
}
