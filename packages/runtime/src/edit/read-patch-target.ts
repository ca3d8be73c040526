/** A file as a patch sees it: its bytes as one character each, so that any encoding comes back as it was. */
import { type BigIntStats, readlinkSync } from 'node:fs';
import { type FileState, ToolError } from '@codelab/protocol';
import { patchFailure } from '../patch/file-patch.ts';
import { digest } from '../platform/digest.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { fileState, fileStateAt } from '../workspace/commit/change.ts';
import { identity } from '../workspace/directory.ts';
import type { Located } from '../workspace/locate.ts';
import { openRegular, readWhole, tooLarge } from '../workspace/read-bytes.ts';
import { refuseUnsaved } from '../workspace/text-files.ts';

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
export function readPatchTarget(asked: string, context: PlanContext, isLink = false): PatchTarget {
  const { workspace, limits } = context;
  using place = workspace.locate(asked, {
    followLast: !isLink,
    access: 'write',
    pathChars: limits.pathChars,
  });
  if (place.links.length > 0)
    throw refuse(asked, `${place.links[0]} is a symbolic link; a patch does not go through links.`);
  const { path, missing, stat } = place;
  refuseUnsaved(path, context);
  if (stat === undefined)
    return { path, missing, identity: 'absent', state: null, bytes: Buffer.alloc(0), text: '', mode: 0 };
  if (isLink && stat.isSymbolicLink()) return linkTarget(place, stat);
  if (!stat.isFile()) throw refuse(asked, 'it is not a regular file.');
  using file = openRegular(place);
  const size = Number(file.stat.size);
  if (size > limits.patchedFileBytes) throw tooLarge(asked, size, limits.patchedFileBytes);
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

/** Whether a symbolic link that a patch makes stays inside the workspace, whatever is or comes to be on its way. */
const MAX_BYTES = 4095;

/** `bytes` is the link's text with one character for each byte; returns it as text. */
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
    const shown = JSON.stringify(target.slice(0, 200));
    throw patchFailure(
      `The symbolic link to ${shown} leads to where no tool may write. Only a relative target inside the workspace is taken, with ".." only at its start.`,
      { path },
      { reason: error.code },
    );
  }
}

/**
 * Where the target is, seen from the workspace; undefined when it leaves it. A `..` after a name is not taken: should that
 * name be a link, or become one, it leads up from somewhere else. At the start it leads up from the link's own folder.
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
