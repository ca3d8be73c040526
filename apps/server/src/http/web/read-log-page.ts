// A page of a session's log as JSON text, bounded by number and by size: entries may hold whole files.
import type { SharedSession } from '../../sessions/gateway.ts';

const maxChars = 8 * 1024 * 1024;
const readAtOnce = 250;

/** `last_seq` is the last entry of the log: when the page ends before it, there is more. */
export async function readLogPage(
  session: SharedSession,
  { since, limit }: { since: number; limit: number },
): Promise<string> {
  const texts: string[] = [];
  let chars = 0;
  let last = since;
  while (texts.length < limit && chars < maxChars) {
    const events = await session.history({
      since: last,
      limit: Math.min(readAtOnce, limit - texts.length),
      maxChars: maxChars - chars,
    });
    for (const event of events) {
      const text = JSON.stringify(event);
      chars += text.length;
      // One entry always fits, so that a reader makes progress.
      if (texts.length > 0 && chars > maxChars) break;
      texts.push(text);
      last = event.seq;
    }
    if (events.length === 0) break;
  }
  return `{"events":[${texts.join(',')}],"last_seq":${Math.max(await session.head(), last === since ? 0 : last)}}`;
}
