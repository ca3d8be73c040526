// Which SQLite the log may be trusted to.
import { ToolError } from '@codelab/protocol';

// Before it, a process whose lock on the database was lost did not notice that another one had removed the write-ahead file.
const oldest = '3.51.0';
const advice = 'Use Node.js 24.14 or newer, or start CodeLab with the one that `npm install` brings along';

export type SqliteCheck = { isSafe: boolean; found: string; advice: string };

export function checkSqlite(version: string | undefined = process.versions.sqlite): SqliteCheck {
  if (version === undefined) return { isSafe: false, found: 'not in this Node.js', advice };
  if (isBefore(version, oldest)) return { isSafe: false, found: `${version}, older than ${oldest}`, advice };
  return { isSafe: true, found: version, advice: 'keeps the session log' };
}

export function refuseUnsafeSqlite(version?: string): void {
  const check = checkSqlite(version);
  if (check.isSafe) return;
  throw new ToolError(
    'IO_ERROR',
    `The session log was not opened: it could lose entries with the SQLite of ${process.version} (${check.found}). ${check.advice}.`,
  );
}

function isBefore(version: string, other: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map(Number);
  const [a, b] = [numbers(version), numbers(other)];
  const i = a.findIndex((n, at) => n !== b[at]);
  return i !== -1 && (a[i] ?? 0) < (b[i] ?? 0);
}
