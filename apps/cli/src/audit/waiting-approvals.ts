// The approvals of a session that nobody has settled yet.
import { type ApprovalRequest, type CallState, nextCallState, type SessionEvent } from '@codelab/protocol';

export function waitingApprovals(events: readonly SessionEvent[]): ApprovalRequest[] {
  const states = new Map<string, CallState | undefined>();
  for (const event of events) {
    const { body } = event;
    const callId = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
    if (callId !== undefined) states.set(callId, nextCallState(states.get(callId), event));
  }
  return [...states.values()].flatMap((state) =>
    state?.state === 'awaiting_approval' ? [state.approval] : [],
  );
}
