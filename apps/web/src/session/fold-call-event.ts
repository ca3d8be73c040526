// Applies an event to the call it belongs to. The state itself comes from the protocol's fold.
import { type EventBody, nextCallState, type SessionEvent } from '@codelab/protocol';
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
  if (model.status !== 'idle' && model.status !== 'error') model.status = statusOf(model);
}

/** One list for all: few calls start a sub-agent, and lists are replaced, never changed. */
const noInner: CallModel['inner'] = [];

function receive(
  model: SessionModel,
  { seq, time }: SessionEvent,
  { call }: Extract<EventBody, { type: 'call.received' }>,
): void {
  const askedBy = call.by ?? model.turns.findLast(({ turn }) => turn === call.turn)?.by;
  const begun = { id: call.id, call, seq, receivedAt: time, ...(askedBy && { askedBy }) };
  model.calls.set(call.id, { ...begun, state: 'received', inner: noInner });
  const parent = call.agent === undefined ? undefined : model.calls.get(call.agent);
  const entry = { kind: 'call' as const, key: `c${call.id}`, callId: call.id };
  if (parent === undefined) model.entries.push(entry);
  else model.calls.set(parent.id, { ...parent, inner: [...parent.inner, entry] });
}

function shown({ body, time }: SessionEvent): Partial<CallModel> {
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
      return { outcome: body.outcome, finishedAt: time };
    default:
      return {};
  }
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
