// How the latest completed call of a tool ended, up to a place in a session's log; a fork goes on from where it was forked.
import type { Outcome, SessionLog } from '@codelab/protocol';

type Completed = Extract<Outcome, { status: 'completed' }>;

export async function latestOutcome(
  log: SessionLog,
  { session, seq }: { session: string; seq: number },
  tool: string,
): Promise<Completed | undefined> {
  const events = (await log.read(session)).filter((event) => event.seq <= seq);
  for (const { body } of events.toReversed()) {
    if (body.type !== 'call.finished') continue;
    if (body.outcome.status === 'completed' && body.outcome.tool === tool) return body.outcome;
  }
  const first = events[0]?.body;
  if (first?.type !== 'session.opened' || first.forkedFrom === undefined) return undefined;
  return await latestOutcome(log, first.forkedFrom, tool);
}
