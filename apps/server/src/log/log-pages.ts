// The entries of a session page by page, bounded in number and in size: they may hold whole files, and a session may be longer than
// there is memory for. Others are served between two pages.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { SessionEvent, SessionLog } from '@codelab/protocol';

export const logPage = { limit: 500, maxChars: 4 * 1024 * 1024 };

export async function* logPages(
  log: SessionLog,
  session: string,
  first = 0,
): AsyncGenerator<SessionEvent[], undefined> {
  for (let since = first; ; ) {
    const page = await log.read(session, { since, ...logPage });
    const last = page.at(-1);
    if (last === undefined) return;
    if (since > first) await otherWork();
    yield page;
    since = last.seq;
  }
}

/** Looks for an entry of a session without holding all of them in memory. */
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
