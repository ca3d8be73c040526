/** A file as a patch sees it: its bytes as one character each, so that any encoding comes back as it was. */

import { type BigIntStats, readlinkSync } from 'node:fs';
import type { FileState } from '@codelab/protocol';
import { ToolError } from '@codelab/protocol';
import type { PlanContext } from '../core/define-tool.ts';
import { digest } from '../workspace/digest.ts';
import { fileState, fileStateAt } from '../workspace/file-state.ts';
import { identity } from '../workspace/identity.ts';
import type { Located } from '../workspace/locate.ts';
import { openRegular, readWhole, tooLarge } from '../workspace/read-bytes.ts';

export type PatchTarget = {
  path: string;
  missing: string[];
  identity: string;
  state: FileState | null;
  bytes: Buffer;
  /** The same, one character for each byte. */
  text: string;
  mode: number;
};

/** `isLink`: the patch means the symbolic link itself, when there is one. */
export function readPatchTarget(
  asked: string,
  { workspace, limits }: PlanContext,
  isLink = false,
): PatchTarget {
  using place = workspace.locate(asked, {
    followLast: !isLink,
    access: 'write',
    pathChars: limits.pathChars,
  });
  if (place.links.length > 0)
    throw refuse(asked, `${place.links[0]} is a symbolic link; a patch does not go through links.`);
  const { path, missing, stat } = place;
  if (stat === undefined)
    return { path, missing, identity: 'absent', state: null, bytes: Buffer.alloc(0), text: '', mode: 0 };
  if (isLink && stat.isSymbolicLink()) return linkTarget(place, stat);
  if (!stat.isFile()) throw refuse(asked, 'it is not a regular file.');
  using file = openRegular(place);
  const size = Number(file.stat.size);
  if (size > limits.writeBytes) throw tooLarge(asked, size, limits.writeBytes);
  const bytes = readWhole(file, asked);
  const state = fileState(file.stat, digest(bytes));
  return {
    path,
    missing,
    identity: identity(file.stat),
    state,
    bytes,
    text: bytes.toString('latin1'),
    mode: Number(file.stat.mode),
  };
}

function linkTarget(place: Located, stat: BigIntStats): PatchTarget {
  const bytes = readlinkSync(place.parent.at(place.name), 'buffer');
  return {
    path: place.path,
    missing: [],
    identity: identity(stat),
    state: fileStateAt(place, stat),
    bytes,
    text: bytes.toString('latin1'),
    mode: Number(stat.mode),
  };
}

function refuse(asked: string, why: string): ToolError {
  return new ToolError('PATCH_APPLY_FAILED', `${asked}: ${why}`, { file: asked });
}
