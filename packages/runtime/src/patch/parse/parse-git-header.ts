/** Reads a file's header in a git diff, from `diff --git` to `+++`: collects the lines, then interprets them. */

import { type FileHeader, patchFailure } from '../file-patch.ts';
import { isBinaryNotice, isBinaryPatch, parseBinary, withoutBytes } from './binary-patch.ts';
import {
  type GitHeaderField,
  type GitHeaderFields,
  gitHeaderFields,
  gitHeaderPaths,
} from './git-header-paths.ts';

/** `at` is the line `diff --git`. */
export function parseGitHeader(lines: readonly string[], at: number): FileHeader {
  const { fields, isCrlf, next } = gitHeaderFields(lines, at);
  const paths = gitHeaderPaths(fields);
  const place = { path: paths.newPath ?? paths.oldPath ?? '', patchLine: at + 1 };
  const promisesHunks = fields.has('--- ');
  if (promisesHunks !== fields.has('+++ '))
    throw patchFailure('The lines "---" and "+++" belong together; one of them is missing.', place);
  const header = { ...paths, ...modesIn(fields, paths.operation, place), isCrlf, promisesHunks, next };
  if (promisesHunks) return header;
  const line = lines[next] ?? '';
  if (isBinaryPatch(line))
    return { ...header, ...parseBinary(lines, next, fields.get('index ')?.text ?? '', place) };
  if (isBinaryNotice(line)) throw withoutBytes({ ...place, patchLine: next + 1 });
  refuseHalf(fields, header, place);
  return header;
}

type Place = { path: string; patchLine: number };

function modesIn(
  fields: GitHeaderFields,
  operation: FileHeader['operation'],
  { path }: Place,
): Pick<FileHeader, 'oldMode' | 'newMode' | 'isLink'> {
  const mode = (key: GitHeaderField) => {
    const field = fields.get(key);
    return field && parseMode(field.text, { path, patchLine: field.patchLine });
  };
  const indexMode = indexModeIn(fields, path);
  const oldMode = mode('deleted file mode ') ?? mode('old mode ');
  const newMode = mode('new file mode ') ?? mode('new mode ');
  const link = [oldMode, newMode, indexMode].some(isLinkMode) ? ({ isLink: true } as const) : {};
  if (operation === 'create') return { newMode: newMode ?? 0o100644, ...link };
  if (operation === 'delete') return { oldMode: oldMode ?? 0o100644, ...link };
  if (isLinkMode(oldMode) || isLinkMode(newMode))
    throw patchFailure(
      'A change of mode makes no symbolic link of a file, nor the reverse. Delete the old one and create the new one.',
      { path },
    );
  if (oldMode !== undefined && newMode !== undefined) return { oldMode, newMode, ...link };
  if (oldMode === undefined && newMode === undefined) return link;
  throw patchFailure('The lines "old mode" and "new mode" belong together; one of them is missing.', {
    path,
  });
}

/** The index line of an update names the unchanged mode, so it also shows that the file is a symbolic link. */
function indexModeIn(fields: GitHeaderFields, path: string): number | undefined {
  const field = fields.get('index ');
  const mode = field && /^[\da-f]+\.\.[\da-f]+ (.*)$/.exec(field.text)?.[1];
  return mode === undefined ? undefined : parseMode(mode, { path, patchLine: field?.patchLine ?? 0 });
}

/** A header without hunks must itself be the change (rename, copy, mode), and none of its lines may announce changed text. */
function refuseHalf(fields: GitHeaderFields, header: FileHeader, place: Place): void {
  const isChange = header.operation !== 'update' || header.oldMode !== header.newMode;
  if (!isChange) throw patchFailure('The header names no change, and no hunks follow.', place);
  const similarity = fields.get('similarity index ')?.text;
  const index = /^([\da-f]+)\.\.([\da-f]+)/.exec(fields.get('index ')?.text ?? '');
  const isSameText = index === null || index[1] === index[2] || index.slice(1).every(isEmptyOrNone);
  if (isSameText && (similarity === undefined || similarity === '100%')) return;
  throw patchFailure('The patch is cut off: the header announces changed text, but no hunks follow.', place);
}

const EMPTY_BLOBS = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
];

function isEmptyOrNone(hash: string): boolean {
  return /^0+$/.test(hash) || EMPTY_BLOBS.some((blob) => blob.startsWith(hash));
}

/** Reads the file mode of a git header: one of the two modes of a regular file, or that of a symbolic link. */
function parseMode(text: string, place: { path: string; patchLine: number }): number {
  if (text === '100644') return 0o100644;
  if (text === '100755') return 0o100755;
  if (text === '120000') return LINK_MODE;
  if (text === '160000')
    throw patchFailure(
      `The submodule "${place.path.slice(0, 200)}" cannot be changed by a patch (mode 160000). Leave its part out and use git in the submodule.`,
      place,
    );
  const quoted = JSON.stringify(text.slice(0, 20));
  throw patchFailure(
    `The mode ${quoted} is none of a plain file, 100644 or 100755, nor that of a symbolic link, 120000.`,
    place,
  );
}

const LINK_MODE = 0o120000;

export function isLinkMode(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o170000) === LINK_MODE;
}
