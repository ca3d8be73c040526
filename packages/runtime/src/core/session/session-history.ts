// The finished calls of a session, read from its log: request and outcome. A fork continues the history of its origin.
import type { EventBody, Outcome, SessionLog, ToolCall } from '@codelab/protocol';
import type { FoldedSession } from './folded-session.ts';

type CompletedOutcome = Extract<Outcome, { status: 'completed' }>;
type ReceivedCall = { seq: number; call: ToolCall };
type Place = { session: string; seq: number };

/** Includes unfinished calls. */
export async function receivedCall(
  log: SessionLog,
  session: string,
  state: FoldedSession,
  callId: string,
): Promise<ReceivedCall | undefined> {
  const open = state.open.get(callId);
  if (open !== undefined) return { seq: state.received.get(callId) ?? 0, call: open.call };
  const found = state.finished.get(callId);
  const body = found && (await entryAt(log, session, found.received));
  return found && body?.type === 'call.received' ? { seq: found.received, call: body.call } : undefined;
}

export async function outcomeOf(
  log: SessionLog,
  session: string,
  state: FoldedSession,
  callId: string,
): Promise<Outcome | undefined> {
  const found = state.finished.get(callId);
  const body = found && (await entryAt(log, session, found.seq));
  return body?.type === 'call.finished' ? body.outcome : undefined;
}

/** The outcome of a tool's latest completed call. */
export async function latestOutcome(
  log: SessionLog,
  session: string,
  state: FoldedSession,
  tool: string,
): Promise<CompletedOutcome | undefined> {
  const seq = state.latest.get(tool);
  const origin = state.opened?.forkedFrom;
  if (seq === undefined) return origin && (await latestBefore(log, origin, tool));
  const body = await entryAt(log, session, seq);
  return body?.type === 'call.finished' && body.outcome.status === 'completed' ? body.outcome : undefined;
}

async function entryAt(log: SessionLog, session: string, seq: number): Promise<EventBody | undefined> {
  const [event] = await log.read(session, { since: seq - 1, limit: 1 });
  return event?.body;
}

async function latestBefore(
  log: SessionLog,
  place: Place,
  tool: string,
): Promise<CompletedOutcome | undefined> {
  const isOfTool = (outcome: Outcome): boolean => outcome.status === 'completed' && outcome.tool === tool;
  const found = await findOutcome(log, place, isOfTool);
  return found?.status === 'completed' ? found : undefined;
}

/** The latest matching outcome up to a position in the log. */
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
