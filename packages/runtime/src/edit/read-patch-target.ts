/** A file as a patch sees it: one character per byte, so that any encoding is written back unchanged. */
import { type BigIntStats, readlinkSync } from 'node:fs';
import { type FileState, ToolError } from '@codelab/protocol';
import { patchFailure } from '../patch/file-patch.ts';
import { digest } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { fileState, fileStateAt } from '../workspace/commit/change.ts';
import { identity } from '../workspace/directory.ts';
import { refuseUnsaved } from '../workspace/file-checks.ts';
import type { Located } from '../workspace/locate.ts';
import { openRegular, readWhole, tooLarge } from '../workspace/read-bytes.ts';

export type PatchTarget = {
  path: string;
  missing: string[];
  identity: string;
  state: FileState | null;
  bytes: Buffer;
  /** The content with one character per byte. */
  text: string;
  mode: number;
};

/** `isLink`: the patch means the symbolic link itself, if there is one. */
export function readPatchTarget(requested: string, context: PlanContext, isLink = false): PatchTarget {
  const { workspace, limits } = context;
  using place = workspace.locate(requested, {
    followLast: !isLink,
    access: 'write',
    pathChars: limits.pathChars,
  });
  if (place.links.length > 0)
    throw refuse(requested, `${place.links[0]} is a symbolic link; a patch does not go through links.`);
  const { path, missing, stat } = place;
  refuseUnsaved(path, context);
  if (stat === undefined)
    return { path, missing, identity: 'absent', state: null, bytes: Buffer.alloc(0), text: '', mode: 0 };
  if (isLink && stat.isSymbolicLink()) return linkTarget(place, stat);
  if (!stat.isFile()) throw refuse(requested, 'it is not a regular file.');
  using file = openRegular(place);
  const size = Number(file.stat.size);
  if (size > limits.patchedFileBytes) throw tooLarge(requested, size, limits.patchedFileBytes);
  const bytes = readWhole(file, requested);
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

function refuse(path: string, reason: string): ToolError {
  return new ToolError('PATCH_APPLY_FAILED', `${path}: ${reason}`, { file: path });
}

/** A symbolic link created by a patch must stay inside the workspace, whatever its path leads through now or later. */
const MAX_BYTES = 4095;

/** `bytes` is the link's target with one character per byte; returns the target as text. */
export function checkLinkTarget(path: string, bytes: string, { workspace, limits }: PlanContext): string {
  const target = Buffer.from(bytes, 'latin1').toString('utf8');
  const isText = Buffer.from(target).equals(Buffer.from(bytes, 'latin1'));
  if (!isText || bytes.length > MAX_BYTES || /^$|[\0\n\r]/.test(target))
    throw patchFailure(
      'The target of the symbolic link is not a path. It is one line, and "\\ No newline at end of file" follows it.',
      { path },
    );
  const leadsTo = pathFrom(path, target);
  try {
    if (leadsTo === undefined) throw new ToolError('PATH_OUTSIDE_WORKSPACE', '');
    if (leadsTo === '') return target;
    workspace
      .locate(leadsTo, { followLast: true, access: 'write', pathChars: limits.pathChars })
      [Symbol.dispose]();
    return target;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const quoted = JSON.stringify(target.slice(0, 200));
    throw patchFailure(
      `The symbolic link to ${quoted} leads to a place where tools may not write. The target must be relative and inside the workspace, with ".." only at its start.`,
      { path },
      { reason: error.code },
    );
  }
}

/**
 * The target as a path in the workspace; undefined when it leaves the workspace. A `..` after a name is refused: if that name is or
 * becomes a link, `..` leads up from somewhere else. At the start, `..` leads up from the link's own folder.
 */
function pathFrom(path: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const folders = path.split('/').slice(0, -1);
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  while (names[0] === '..') {
    if (folders.pop() === undefined) return undefined;
    names.shift();
  }
  return names.includes('..') ? undefined : [...folders, ...names].join('/');
}
