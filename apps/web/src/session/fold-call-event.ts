// Applies an event to the call it belongs to. The state itself comes from the protocol's fold.
import { type EventBody, lossNotes, nextCallState, type Outcome, type SessionEvent } from '@codelab/protocol';
import { readTodos } from './command-exit.ts';
import type { CallModel, SessionModel } from './session-model.ts';

export function foldCallEvent(model: SessionModel, event: SessionEvent): void {
  const { body } = event;
  const id = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
  if (id === undefined) return;
  const state = nextCallState(model.states.get(id), event);
  if (state === undefined) return;
  model.states.set(id, state);
  const known = model.calls.get(id);
  if (body.type === 'call.received') {
    // The same id may be sent again; it stays one call.
    if (known === undefined) receive(model, event, body);
    return;
  }
  if (known === undefined) return;
  model.calls.set(id, { ...known, ...shown(event), state: state.state });
  settlePending(model, id, body);
  if (body.type === 'call.finished') noteOutcome(model, known, body.outcome);
  if (model.status !== 'idle' && model.status !== 'error') model.status = statusOf(model);
}

function receive(
  model: SessionModel,
  { seq, time }: SessionEvent,
  { call }: Extract<EventBody, { type: 'call.received' }>,
): void {
  const { latest } = model.turns;
  const askedBy = call.by ?? (latest?.turn === call.turn ? latest?.by : undefined);
  const begun = { id: call.id, call, seq, receivedAt: time, inner: [], ...(askedBy && { askedBy }) };
  model.calls.set(call.id, { ...begun, state: 'received' });
  const parent = call.agent === undefined ? undefined : model.calls.get(call.agent);
  const entry = { kind: 'call' as const, key: `c${call.id}`, callId: call.id };
  if (parent === undefined) model.entries.push(entry);
  else model.calls.set(parent.id, { ...parent, inner: [...parent.inner, entry] });
}

function shown({ body, time, seq }: SessionEvent): Partial<CallModel> {
  switch (body.type) {
    case 'call.planned':
      return { plan: body.plan, verdict: body.verdict };
    case 'approval.requested':
      return { approval: body.approval, plan: body.approval.plan, verdict: body.approval.verdict };
    case 'approval.decided':
      return { decision: body.decision, decidedBy: body.by, decidedAt: time };
    case 'call.started':
      return { startedAt: time };
    case 'call.finished':
      return { outcome: body.outcome, finishedAt: time, endSeq: seq };
    default:
      return {};
  }
}

/** Keeps what is told of a call also when its section is unloaded. */
function noteOutcome(model: SessionModel, { call, plan }: CallModel, outcome: Outcome): void {
  const { tool, turn, session } = call;
  const { additions = 0, deletions = 0 } = plan?.diff ?? {};
  const diff = plan?.diff && { additions, deletions };
  if (outcome.effects.length > 0) model.touched.push({ tool, turn, effects: outcome.effects, diff });
  const notes = lossNotes(outcome);
  if (notes.length > 0) model.losses.push({ session, turn, notes });
  if (outcome.status === 'completed') model.todos = readTodos(outcome.data) ?? model.todos;
}

function settlePending(model: SessionModel, callId: string, body: EventBody): void {
  switch (body.type) {
    case 'approval.requested':
      model.pending = [...model.pending.filter((request) => request.callId !== callId), body.approval];
      return;
    case 'approval.decided':
    case 'approval.expired':
    case 'call.started':
    case 'call.finished':
      if (model.pending.some((request) => request.callId === callId))
        model.pending = model.pending.filter((request) => request.callId !== callId);
      return;
    default:
      return;
  }
}

function statusOf(model: SessionModel): SessionModel['status'] {
  if (model.pending.length > 0) return 'waiting_approval';
  return model.status === 'waiting_approval' ? 'executing_tool' : model.status;
}
