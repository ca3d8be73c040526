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
