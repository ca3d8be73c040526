// How the latest turn of a session was run, and whether it has ended; a fork without one goes on from where it comes from.
import type { SessionEvent, SessionLog } from '@codelab/protocol';

type LastTurn = { isOpen: boolean; model: string; profile: string };

export async function lastTurn(log: SessionLog, session: string): Promise<LastTurn | undefined> {
  const events = await log.read(session);
  const own = latestIn(events);
  const [first] = events;
  if (own !== undefined || first?.body.type !== 'session.opened') return own;
  const origin = first.body.forkedFrom;
  // What is open there is not ours to finish.
  const before = origin && (await lastTurn(log, origin.session));
  return before && { ...before, isOpen: false };
}

function latestIn(events: readonly SessionEvent[]): LastTurn | undefined {
  let latest: LastTurn | undefined;
  for (const { body } of events) {
    if (body.type === 'turn.started' && body.agent === undefined)
      latest = { isOpen: true, model: body.model, profile: body.profile };
    else if (body.type === 'turn.ended' && body.agent === undefined && latest !== undefined)
      latest.isOpen = false;
  }
  return latest;
}
