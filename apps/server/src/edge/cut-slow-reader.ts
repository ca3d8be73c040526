// Closes the line of a peer that does not read what it is sent: what waits for it would be kept for ever. It comes back and goes on from
// its last id.
import type { ServerResponse } from 'node:http';

const defaultMs = 30_000;

export function cutSlowReader(raw: ServerResponse, afterMs: number = defaultMs): void {
  let stuckAt: number | undefined;
  const look = setInterval(() => {
    if (!isStuck(raw)) stuckAt = undefined;
    else if (stuckAt === undefined) stuckAt = Date.now();
    else if (Date.now() - stuckAt >= afterMs) raw.destroy();
  }, afterMs / 4);
  look.unref();
  raw.on('drain', () => {
    stuckAt = undefined;
  });
  raw.once('close', () => clearInterval(look));
}

/** There is more than the line takes, or an end that can't be reached. */
function isStuck(raw: ServerResponse): boolean {
  return raw.writableNeedDrain || (raw.writableEnded && !raw.writableFinished);
}
