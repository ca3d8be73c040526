// The record step: the outcome goes to the log with whatever was not saved before; one outcome per call id, whoever was first.
import { type EventBody, type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import type { Ran, Tool } from './define-tool.ts';
import { completed, endedBadly } from './ending.ts';
import { FailedWithEffects } from './failed-with-effects.ts';
import type { Args, Journey } from './journey.ts';

const mostNamed = 20;

export async function recordSuccess(journey: Journey, tool: Tool, ran: Ran<Args>): Promise<Outcome> {
  try {
    return await store(journey, completed(journey, tool, ran));
  } catch (error) {
    if (ran.effects.length === 0) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const paths = [
      ...new Set(ran.effects.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))),
    ];
    const named = paths.slice(0, mostNamed).join(', ');
    const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
    const text = `The change was made but could not be recorded: ${why} Changed: ${named}${more}.`;
    const details = { files: paths.map((path) => ({ path, found: 'new' })) };
    throw new FailedWithEffects(new ToolError('OUTCOME_UNKNOWN', text, details), ran.effects);
  }
}

export async function recordFailure(journey: Journey, error: unknown): Promise<Outcome> {
  const outcome = endedBadly(journey, error);
  // Another call owns this id: its record must stay as it is.
  if (outcome.error.code === 'DUPLICATE_CALL') return outcome;
  const isKnown = journey.session.openCalls.has(journey.call.id) || journey.unsaved.length > 0;
  // Arguments that must not be read are not written either.
  if (!isKnown) journey.unsaved.push({ type: 'call.received', call: { ...journey.call, args: {} } });
  try {
    return await store(journey, outcome);
  } catch (failure) {
    // That something was changed matters more than that it could not be recorded.
    const isChanged = outcome.effects.length > 0 || outcome.error.code === 'OUTCOME_UNKNOWN';
    return isChanged ? outcome : endedBadly(journey, failure);
  }
}

async function store(journey: Journey, outcome: Outcome): Promise<Outcome> {
  const { session, call, unsaved } = journey;
  const written = await session.commit(
    () => (session.finished(call.id) ? [] : [...unsaved, finished(call, outcome)]),
    { about: call.id },
  );
  journey.unsaved = [];
  for (const work of journey.afterRecord.splice(0)) work();
  return written.length > 0 ? outcome : ((await session.outcome(call.id)) ?? outcome);
}

function finished(call: ToolCall, outcome: Outcome): EventBody {
  const body = { type: 'call.finished' as const, callId: call.id, outcome };
  return call.turn === undefined ? body : { ...body, turn: call.turn };
}
