// What was acknowledged last, noted beside the log after every commit. A commit in the write-ahead file that is not whole was
// either damaged, or cut short by the end of its process and never acknowledged: this tells which.
import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Where a session stands, in the log of this file; 0 when the session was deleted. */
export type LastAppend = { file: string; session: string; seq: number };

export function lastAppendText(last: LastAppend): string {
  return `${JSON.stringify(last)}\n`;
}

/** Whether the log has it, and with it all that came before. False when nobody knows what was last. */
export function hasLastAppend(db: DatabaseSync, { file, bell }: { file: string; bell: string }): boolean {
  const last = readLast(bell);
  if (last?.file !== file) return false;
  const head = db.prepare('SELECT seq FROM heads WHERE session = ?').get(last.session);
  return last.seq === 0 ? head === undefined : Number(head?.seq ?? 0) >= last.seq;
}

function readLast(bell: string): LastAppend | undefined {
  try {
    // Text of a longer one may follow.
    const [line = ''] = readFileSync(bell, 'utf8').split('\n');
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
