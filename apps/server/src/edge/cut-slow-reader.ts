// Closes the connection of a peer that does not read: its queue would be held for ever. The peer reconnects and continues from its last id.
import type { ServerResponse } from 'node:http';

const defaultMs = 30_000;

export function cutSlowReader(raw: ServerResponse, afterMs: number = defaultMs): void {
  let stuckAt: number | undefined;
  const timer = setInterval(() => {
    if (!isStuck(raw)) stuckAt = undefined;
    else if (stuckAt === undefined) stuckAt = Date.now();
    else if (Date.now() - stuckAt >= afterMs) raw.destroy();
  }, afterMs / 4);
  timer.unref();
  raw.on('drain', () => {
    stuckAt = undefined;
  });
  raw.once('close', () => clearInterval(timer));
}

/** Whether more is queued than the connection accepts, or its end can't be sent. */
function isStuck(raw: ServerResponse): boolean {
  return raw.writableNeedDrain || (raw.writableEnded && !raw.writableFinished);
}
