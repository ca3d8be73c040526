/** Reads the file name on a line `---` or `+++` of a plain diff, where a date may follow it. */
import { patchFailure } from './patch-failure.ts';
import { patchName } from './patch-name.ts';

/** Null for `/dev/null`. Only the date tells where a name with a tab or with spaces ends, as in git. */
export function plainName(text: string, patchLine: number): string | null {
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

/** Whether the date on the line stands for a file that is not there: 0, in whatever zone the diff was made. */
export function isEpoch(line: string): boolean {
  const stamp = EPOCH.exec(line);
  if (stamp === null) return false;
  const [, day, hour, minute, sign, zoneHour, zoneMinute] = stamp;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const midnight = day === '1969-12-31' ? 24 * 60 : 0;
  return Number(hour) * 60 + Number(minute) - zone === midnight;
}

/** After a tab, or after spaces that a mail or an editor made of it. */
const DATE = /(?:\t| +)(?:\d\d)?\d\d-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d\d:?\d\d)?)?$/;

const EPOCH = /\t(1969-12-31|1970-01-01) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+])([0-2]\d):?([0-5]\d)$/;

/** A tab is part of it here, so it is put as in C, where a tab does not end a name. */
function bareName(name: string, patchLine: number): string | null {
  if (!name.includes('\t')) return patchName(name, patchLine);
  const quoted = name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\t', '\\t');
  return patchName(`"${quoted}"`, patchLine);
}
