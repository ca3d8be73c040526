// The calls of a session that changed files, in order, each with the summary of its plan.
import type { Outcome } from '@codelab/protocol';
import type { CallChanges } from '@codelab/runtime';
import type { Fold } from '../work/session-fold.ts';

export type ChangingCall = CallChanges & { summary: string; seq: number; time: number };

export type ChangeCalls = { planned: Map<string, string>; calls: ChangingCall[] };

// Tools whose results report effects on other calls or deleted amounts. Other results are long and not needed.
const telling = new Set(['undo', 'redo', 'delete_file']);

export const changeFold: Fold<ChangeCalls> = {
  blank: () => ({ planned: new Map(), calls: [] }),
  take({ planned, calls }, { session, seq, time, body }) {
    if (body.type === 'call.planned') planned.set(body.callId, body.plan.summary);
    if (body.type !== 'call.finished') return;
    const { outcome, turn } = body;
    const summary = planned.get(outcome.callId) ?? outcome.tool;
    planned.delete(outcome.callId);
    if (outcome.effects.length > 0)
      calls.push({ session, seq, time, turn, summary, outcome: shortened(outcome) });
  },
};

function shortened(outcome: Outcome): Outcome {
  if (outcome.status !== 'completed') return outcome;
  const { seen: _seen, changedBy: _changedBy, ...recorded } = outcome;
  return telling.has(outcome.tool) ? recorded : { ...recorded, data: {} };
}
