// The entries of the record that belong to one call, with their hashes.
import type { SessionEvent } from '@codelab/protocol';
import { api } from '../../api/api.ts';

export type RecordEntry = { seq: number; time: number; type: string; hash: string };

// Its entries lie close together unless it waited long while others went on.
const mostPages = 10;

/** From its first entry until its last, or until so much was read that the rest must be looked up in the export. */
export async function readEntries(
  session: string,
  { id, seq }: { id: string; seq: number },
  signal: AbortSignal,
): Promise<RecordEntry[]> {
  const found: RecordEntry[] = [];
  let since = seq - 1;
  for (let page = 0; page < mostPages; page++) {
    const { events, last_seq: head } = await api.sessions.log(session, { since: since }, signal);
    const own = events.filter((event) => callOf(event) === id);
    found.push(...own.map(({ seq: at, time, hash, body }) => ({ seq: at, time, type: body.type, hash })));
    since = events.at(-1)?.seq ?? head;
    if (since >= head || own.some(({ body }) => body.type === 'call.finished')) break;
  }
  return found;
}

function callOf({ body }: SessionEvent): string | undefined {
  if (body.type === 'call.received') return body.call.id;
  return 'callId' in body ? body.callId : undefined;
}
