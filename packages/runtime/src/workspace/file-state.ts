// What stands at a place, in the form effects record it.
import { type BigIntStats, readlinkSync } from 'node:fs';
import type { FileState } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import type { Located } from './locate.ts';
import { openRegular, readWhole } from './read-bytes.ts';

const maxDigested = 16n * 1024n * 1024n;

export function fileState(stat: BigIntStats, contentDigest?: string): FileState {
  const type = stat.isFile()
    ? 'file'
    : stat.isDirectory()
      ? 'directory'
      : stat.isSymbolicLink()
        ? 'symlink'
        : 'other';
  const state: FileState = { type, size: Number(stat.size), mode: Number(stat.mode & 0o7777n) };
  return contentDigest === undefined ? state : { ...state, digest: contentDigest };
}

/** With the digest of a file that is not too large to be read for it; of a link, the text it holds is its content. */
export function fileStateAt(place: Located, stat: BigIntStats): FileState {
  const at = place.parent.at(place.name);
  if (stat.isSymbolicLink()) return fileState(stat, digest(readlinkSync(at)));
  if (!stat.isFile() || stat.size > maxDigested) return fileState(stat);
  try {
    using file = openRegular(place);
    return fileState(stat, digest(readWhole(file, place.asked)));
  } catch {
    // Not ours to read; it can be moved and removed all the same.
    return fileState(stat);
  }
}
