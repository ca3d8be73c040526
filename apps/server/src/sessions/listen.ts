// Everything of a session after an entry, then what comes, to one listener: from the log as long as it is behind, else as it is told.
import type { SessionLog, SessionMessage } from '@codelab/protocol';
import type { LiveSession } from '@codelab/runtime';
import { logPage } from '../log/log-pages.ts';
import type { Listeners } from './listeners.ts';

/** `last`: the entry that listeners were told of last. */
type Source = { log: SessionLog; live: LiveSession; listeners: Listeners; last(): number };

export async function* listen(
  { log, live, listeners, last: toldLast }: Source,
  { since, signal }: { since: number; signal: AbortSignal },
): AsyncGenerator<SessionMessage> {
  // In one step, so that every entry is either read or told.
  const ear = listeners.open();
  const told = toldLast();
  signal.addEventListener('abort', ear.close, { once: true });
  let last = since;
  async function* readThrough(through: number): AsyncGenerator<SessionMessage> {
    while (last < through && !signal.aborted) {
      // No further: what was told before a later entry comes before it.
      const limit = Math.min(logPage.limit, through - last);
      const events = await log.read(live.id, { since: last, ...logPage, limit });
      if (events.length === 0) return;
      for (const event of events) {
        last = event.seq;
        yield { type: 'event', event };
        if (signal.aborted) return;
      }
    }
  }
  try {
    // What is in the log and not yet known here is told like what comes.
    await live.catchUp();
    yield* readThrough(told);
    for await (const heard of ear) {
      if (signal.aborted) return;
      if (heard.type === 'log') yield* readThrough(heard.through);
      else if (heard.type !== 'event') yield heard;
      else if (heard.event.seq > last) {
        last = heard.event.seq;
        yield heard;
      }
    }
  } finally {
    signal.removeEventListener('abort', ear.close);
    ear.close();
  }
}
