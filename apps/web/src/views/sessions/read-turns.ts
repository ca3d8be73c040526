// The turns of a session, for choosing one of them.
import type { SessionEvent } from '@codelab/protocol';
import { api } from '../../api/api.ts';

export type TurnLine = { seq: number; time: number; text: string };

export async function readTurns(session: string, signal: AbortSignal): Promise<TurnLine[]> {
  const turns: TurnLine[] = [];
  for (let since = 0; ; ) {
    const { events, last_seq: head } = await api.sessions.log(session, { since: since }, signal);
    turns.push(...events.flatMap(turnOf));
    const last = events.at(-1)?.seq;
    if (last === undefined || last >= head) return turns;
    since = last;
  }
}

/** What a sub-agent was told is no turn of the person. */
function turnOf({ seq, time, body }: SessionEvent): TurnLine[] {
  return body.type === 'turn.started' && body.agent === undefined ? [{ seq, time, text: body.text }] : [];
}
