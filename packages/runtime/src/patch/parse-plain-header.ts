/** Reads the two lines `--- old` and `+++ new` that start a file in a diff without git's own header. */
import type { FileHeader } from './file-header.ts';
import { patchFailure } from './patch-failure.ts';
import { patchName } from './patch-name.ts';
import { stripPrefixes } from './strip-prefixes.ts';

/** `at` is the line of `---`; the caller has seen that `+++` follows. */
export function parsePlainHeader(lines: readonly string[], at: number): FileHeader {
  const raw = [lines[at] ?? '', lines[at + 1] ?? ''];
  const isCrlf = raw.every((line) => line.endsWith('\r'));
  const [oldLine = '', newLine = ''] = raw.map((line) => line.slice(4, isCrlf ? -1 : undefined));
  const oldName = patchName(oldLine, at + 1);
  const newName = patchName(newLine, at + 2);
  return {
    ...namesOf(oldName, newName, oldLine, newLine, at + 1),
    isCrlf,
    promisesHunks: true,
    next: at + 2,
  };
}

type Names = Pick<FileHeader, 'oldPath' | 'newPath' | 'operation'>;

function namesOf(
  oldName: string | null,
  newName: string | null,
  oldLine: string,
  newLine: string,
  patchLine: number,
): Names {
  if (oldName === null && newName === null)
    throw patchFailure('Both names are /dev/null, so no file is named.', { patchLine });
  const [oldPath, newPath] = stripPrefixes(oldName ?? newName ?? '', newName ?? oldName ?? '', false);
  if (oldPath === '' || newPath === '') throw patchFailure('The file name is empty.', { patchLine });
  if (oldPath !== newPath)
    throw patchFailure(
      `The names "${oldPath}" and "${newPath}" disagree, and nothing says that it is a rename.`,
      {
        path: newPath,
        patchLine,
      },
    );
  if (oldName === null || isEpoch(oldLine)) return { oldPath: null, newPath, operation: 'create' };
  if (newName === null || isEpoch(newLine)) return { oldPath, newPath: null, operation: 'delete' };
  return { oldPath, newPath, operation: 'update' };
}

const STAMP = /\t(1969-12-31|1970-01-01) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+])([0-2]\d):?([0-5]\d)$/;

/** Before /dev/null was usual, a file that is not there had the date 0, in whatever zone the diff was made. */
function isEpoch(line: string): boolean {
  const stamp = STAMP.exec(line);
  if (stamp === null) return false;
  const [, day, hour, minute, sign, zoneHour, zoneMinute] = stamp;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const midnight = day === '1969-12-31' ? 24 * 60 : 0;
  return Number(hour) * 60 + Number(minute) - zone === midnight;
}
