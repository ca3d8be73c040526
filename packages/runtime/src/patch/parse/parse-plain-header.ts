/** Reads the two lines `--- old` and `+++ new` that start a file in a diff without git's own header. */
import { type FileHeader, type PlainNames, patchFailure } from '../file-patch.ts';
import { patchName, stripPrefixes } from './patch-paths.ts';

/** `at` is the line `---`; the caller has checked that `+++` follows. */
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

// The file name on a `---` or `+++` line of a plain diff; a date may follow the name.

/** Null for `/dev/null`. As in git, only the date shows where a name with tabs or spaces ends. */
function plainName(text: string, patchLine: number): string | null {
  if (text.startsWith('"')) return patchName(text, patchLine);
  const date = DATE.exec(text);
  if (date !== null && date.index > 0) return bareName(text.slice(0, date.index), patchLine);
  if (text.split('\t').length > 2)
    throw patchFailure(
      'Two tabs follow each other without a date, so the end of the name is not known. Quote the name as git does: "a\\tb".',
      { patchLine },
    );
  return patchName(text, patchLine);
}

/** A date of 0 (the epoch, in any time zone) means that the file does not exist on that side. */
function isEpoch(line: string): boolean {
  const stamp = EPOCH.exec(line);
  if (stamp === null) return false;
  const [, day, hour, minute, sign, zoneHour, zoneMinute] = stamp;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const midnight = day === '1969-12-31' ? 24 * 60 : 0;
  return Number(hour) * 60 + Number(minute) - zone === midnight;
}

/** The date follows a tab, or the spaces into which a mail program or an editor converted the tab. */
const DATE = /(?:\t| +)(?:\d\d)?\d\d-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d\d:?\d\d)?)?$/;

const EPOCH = /\t(1969-12-31|1970-01-01) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+])([0-2]\d):?([0-5]\d)$/;

/** The name may contain a tab, so it is quoted as in C, where a tab does not end the name. */
function bareName(name: string, patchLine: number): string | null {
  if (!name.includes('\t')) return patchName(name, patchLine);
  const quoted = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\t', '\\t');
  return patchName(`"${quoted}"`, patchLine);
}

// How the two names of a file in a plain diff relate to each other.

/** The name git chooses of the two: the new one, unless the old one is a prefix of the new one (`x` and `x.new`). */
export function plainPath({ old, new: name }: PlainNames): string {
  if (old === null || name === null) return old ?? name ?? '';
  return name.startsWith(old) ? old : name;
}

/** The same name, or the name of a backup copy of the file; git and patch then mean the file. */
export function isCopyOf(name: string, path: string): boolean {
  return name === path || (name.startsWith(path) && COPY.test(name.slice(path.length)));
}

const COPY = /^(?:[~+]|[._-](?:orig|old|bak|new))$/i;

/** Whether both names can mean one file: a backup copy, or the file in another folder. Anything else would be a rename. */
function areOfOneFile({ old, new: name, isPrefixed }: PlainNames): boolean {
  if (old === null || name === null || isCopyOf(old, name) || isCopyOf(name, old)) return true;
  return !isPrefixed && lastOf(old) === lastOf(name);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
