// Looks for an entry of a session without holding all of them in memory.
import type { SessionEvent, SessionLog } from '@codelab/protocol';
import { logPages } from './log-pages.ts';

type Fits = (event: SessionEvent) => boolean;

export async function findInLog(log: SessionLog, id: string, fits: Fits): Promise<SessionEvent | undefined> {
  for await (const page of logPages(log, id)) {
    const found = page.find(fits);
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function findLastInLog(
  log: SessionLog,
  id: string,
  fits: Fits,
): Promise<SessionEvent | undefined> {
  let last: SessionEvent | undefined;
  for await (const page of logPages(log, id)) last = page.findLast(fits) ?? last;
  return last;
}
