// How a call ended, up to a place in a session's log; a fork goes on from where it was forked.
import type { Outcome, SessionLog } from '@codelab/protocol';

type Completed = Extract<Outcome, { status: 'completed' }>;
type Place = { session: string; seq: number };

/** The latest completed call of a tool. */
export async function latestOutcome(
  log: SessionLog,
  place: Place,
  tool: string,
): Promise<Completed | undefined> {
  const found = await findOutcome(log, place, (one) => one.status === 'completed' && one.tool === tool);
  return found?.status === 'completed' ? found : undefined;
}

/** The latest one that fits. */
export async function findOutcome(
  log: SessionLog,
  { session, seq }: Place,
  fits: (outcome: Outcome) => boolean,
): Promise<Outcome | undefined> {
  const events = (await log.read(session)).filter((event) => event.seq <= seq);
  for (const { body } of events.toReversed())
    if (body.type === 'call.finished' && fits(body.outcome)) return body.outcome;
  const first = events[0]?.body;
  if (first?.type !== 'session.opened' || first.forkedFrom === undefined) return undefined;
  return await findOutcome(log, first.forkedFrom, fits);
}
