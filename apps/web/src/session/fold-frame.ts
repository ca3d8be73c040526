// Applies a message of the socket to the model: an event of the log, or a signal that is not logged.
import type { AgentSignal, NeutralMessage } from '@codelab/protocol';
import { foldEvent } from './fold-event.ts';
import type { SessionModel } from './session-model.ts';

const keptOutput = 32 * 1024;

export function foldFrame(model: SessionModel, frame: NeutralMessage, now: number): void {
  switch (frame.type) {
    case 'event':
      foldEvent(model, frame.event);
      return;
    case 'signal':
      foldSignal(model, frame.signal, now);
      return;
    case 'switched': {
      model.profile = frame.to;
      const { to, reason = '' } = frame;
      model.entries.push({ kind: 'switched', key: keyOf(model), time: now, to, reason });
      return;
    }
    case 'notice':
      model.entries.push({ kind: 'notice', key: keyOf(model), time: now, text: frame.text });
      return;
    case 'live':
      model.live = { text: frame.text, reasoning: frame.reasoning };
      return;
    case 'session_info':
      // The part of a reply that was streamed before comes again as a whole.
      model.live = undefined;
      // The gateway knows whether the agent works; how the latest turn ended is in the log.
      if (frame.status !== 'idle' || model.status !== 'error') model.status = frame.status;
      model.profile = frame.agent_type;
      return;
  }
}

function foldSignal(model: SessionModel, signal: AgentSignal, now: number): void {
  switch (signal.type) {
    case 'status':
      model.status = signal.status;
      return;
    case 'text':
      model.live = { text: (model.live?.text ?? '') + signal.delta, reasoning: model.live?.reasoning ?? '' };
      model.retry = undefined;
      return;
    case 'reasoning':
      model.live = {
        text: model.live?.text ?? '',
        reasoning: (model.live?.reasoning ?? '') + signal.delta,
      };
      return;
    case 'retry':
      if (signal.discards) model.live = undefined;
      model.retry = {
        attempt: signal.attempt,
        afterMs: signal.afterMs,
        reason: signal.reason,
        time: now,
      };
      return;
    case 'progress': {
      const call = model.calls.get(signal.callId);
      if (call === undefined || call.outcome !== undefined) return;
      const output = ((call.output ?? '') + printed(signal.progress)).slice(-keptOutput);
      model.calls.set(call.id, { ...call, progress: signal.progress, ...(output !== '' && { output }) });
      return;
    }
    // The log says these as well, and lastingly.
    case 'reply':
    case 'call':
    case 'approval':
    case 'decided':
    case 'outcome':
    case 'ended':
      return;
  }
}

let notes = 0;

function keyOf(model: SessionModel): string {
  return `n${model.lastSeq}.${notes++}`;
}

function printed({ stdout, stderr }: Record<string, unknown>): string {
  return (typeof stdout === 'string' ? stdout : '') + (typeof stderr === 'string' ? stderr : '');
}
