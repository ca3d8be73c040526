/** Reads the two lines `--- old` and `+++ new` that start a file in a diff without git's own header. */
import type { FileHeader } from './file-header.ts';
import type { PlainNames } from './file-patch.ts';
import { patchFailure } from './patch-failure.ts';
import { isEpoch, plainName } from './plain-name.ts';
import { areOfOneFile, plainPath } from './plain-path.ts';
import { stripPrefixes } from './strip-prefixes.ts';

/** `at` is the line of `---`; the caller has seen that `+++` follows. */
export function parsePlainHeader(lines: readonly string[], at: number): FileHeader {
  const raw = [lines[at] ?? '', lines[at + 1] ?? ''];
  const isCrlf = raw.every((line) => line.endsWith('\r'));
  const [oldLine = '', newLine = ''] = raw.map((line) => line.slice(4, isCrlf ? -1 : undefined));
  const oldName = plainName(oldLine, at + 1);
  const newName = plainName(newLine, at + 2);
  const names = withoutPrefixes(oldName, newName, at + 1);
  const path = plainPath(names);
  const isCreated = oldName === null || isEpoch(oldLine);
  const isDeleted = !isCreated && (newName === null || isEpoch(newLine));
  return {
    oldPath: isCreated ? null : path,
    newPath: isDeleted ? null : path,
    operation: isCreated ? 'create' : isDeleted ? 'delete' : 'update',
    names,
    isCrlf,
    promisesHunks: true,
    next: at + 2,
  };
}

function withoutPrefixes(oldName: string | null, newName: string | null, patchLine: number): PlainNames {
  const either = newName ?? oldName;
  if (either === null) throw patchFailure('Both names are /dev/null, so no file is named.', { patchLine });
  const [oldPath, newPath] = stripPrefixes(oldName ?? either, newName ?? either, false);
  if (oldPath === '' || newPath === '') throw patchFailure('The file name is empty.', { patchLine });
  const names = {
    old: oldName === null ? null : oldPath,
    new: newName === null ? null : newPath,
    isPrefixed: newPath !== (newName ?? either),
  };
  if (areOfOneFile(names)) return names;
  throw patchFailure(
    `The names "${oldPath.slice(0, 200)}" and "${newPath.slice(0, 200)}" disagree, and nothing says that it is a rename. Name the file to be changed in both lines, or write the lines "rename from" and "rename to".`,
    { path: newPath, patchLine },
  );
}
