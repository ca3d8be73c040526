// Reports each event: as text on standard error, or as JSON lines on standard output.
import '../shared.ts';
import type { WireCall } from '@codelab/dialects';
import { type Outcome, visible, visibleLine } from '@codelab/protocol';
import { writeText } from '../command-line/process.ts';
import { paintFor, type Style } from '../output/paint.ts';
import { timeOfDay } from '../output/units.ts';
import { callLine } from '../run/output.ts';

export type ExecutorReporter = {
  connected(session: string): void;
  waiting(reason: string, retryMs: number): void;
  /** The gateway handed over a call; a call that is not ordered yet is an approval. */
  call(call: WireCall, isOrdered: boolean): void;
  /** An approval that is left to the people at the gateway. */
  question(call: WireCall): void;
  outcome(call: WireCall, outcome: Outcome, isOrdered: boolean): void;
  notice(text: string): void;
  defect(error: unknown): void;
};

export function createExecutorReporter(isJson: boolean): ExecutorReporter {
  const paint = paintFor(2);
  function line(event: string, fields: object, style: Style, text: string): void {
    if (isJson) writeText(1, `${JSON.stringify({ event, time: new Date().toISOString(), ...fields })}\n`);
    else writeText(2, `${paint('dim', timeOfDay(Date.now()))} ${paint(style, text)}\n`);
  }
  return {
    connected(session) {
      const text = `Connected: calls of the session ${visibleLine(session)} run here.`;
      line('connected', { session }, 'green', text);
    },
    waiting(reason, retryMs) {
      const seconds = Math.max(1, Math.round(retryMs / 1000));
      line(
        'waiting',
        { why: reason, retry_ms: Math.round(retryMs) },
        'yellow',
        `${visibleLine(reason)} Trying again in ${seconds} s.`,
      );
    },
    call(call, isOrdered) {
      const { id: call_id, tool, args } = call;
      const text = isOrdered ? `→ ${callLine(call)}` : `? ${callLine(call)}`;
      line(isOrdered ? 'call' : 'question', { call_id, tool, args }, 'cyan', text);
    },
    question(call) {
      const { id: call_id, tool, args } = call;
      line(
        'left',
        { call_id, tool, args },
        'yellow',
        `? ${callLine(call)} waits for a decision at the gateway.`,
      );
    },
    outcome(call, outcome, isOrdered) {
      const { status, durationMs: duration_ms } = outcome;
      const error = status === 'completed' ? {} : { error: outcome.error };
      const style = status === 'completed' ? 'green' : 'red';
      const fields = { call_id: call.id, status, duration_ms, ...error };
      line('outcome', fields, style, outcomeText(call, outcome, isOrdered));
    },
    notice: (text) => line('notice', { text }, 'yellow', visibleLine(text)),
    defect(error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeText(2, `codelab: a defect, please report it.\n${visible(text)}\n`);
    },
  };
}

function outcomeText({ wire }: WireCall, outcome: Outcome, isOrdered: boolean): string {
  const { status, durationMs } = outcome;
  const isGood = status === 'completed';
  const reason = isGood ? '' : ` ${outcome.error.code}: ${visibleLine(outcome.error.message)}`;
  const ending = isOrdered ? `${status} in ${durationMs} ms` : status;
  return `${isGood ? '✓' : '✗'} ${visibleLine(wire.tool)} ${ending}${reason}`;
}
