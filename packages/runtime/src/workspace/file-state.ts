// What stands at a place, in the form effects record it.
import { type BigIntStats, readlinkSync } from 'node:fs';
import type { FileState } from '@codelab/protocol';
import { digest } from './digest.ts';
import type { Located } from './locate.ts';

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

/** Without reading a file's content; of a link, the text it holds is its content. */
export function fileStateAt(place: Located, stat: BigIntStats): FileState {
  return stat.isSymbolicLink()
    ? fileState(stat, digest(readlinkSync(place.parent.at(place.name))))
    : fileState(stat);
}
