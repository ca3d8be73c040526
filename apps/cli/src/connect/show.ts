// What happens, line by line, for whoever looks on: in words on standard error, or as JSON lines on standard output.
import '../shared.ts';
import type { AskedCall } from '@codelab/dialects';
import { type Outcome, visible, visibleLine } from '@codelab/protocol';
import { clockTime } from '../output/clock-time.ts';
import { paintFor, type Style } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';
import { callLine } from '../run/call-line.ts';

export type Show = {
  connected(session: string): void;
  waiting(why: string, retryMs: number): void;
  /** A call was handed over; not ordered, it is still a question. */
  call(asked: AskedCall, isOrdered: boolean): void;
  /** A question that is left to those at the gateway. */
  question(asked: AskedCall): void;
  outcome(asked: AskedCall, outcome: Outcome, isOrdered: boolean): void;
  notice(text: string): void;
  defect(error: unknown): void;
};

export function createShow(isJson: boolean): Show {
  const paint = paintFor(2);
  function line(event: string, fields: object, style: Style, text: string): void {
    if (isJson) writeText(1, `${JSON.stringify({ event, time: new Date().toISOString(), ...fields })}\n`);
    else writeText(2, `${paint('dim', clockTime(Date.now()))} ${paint(style, text)}\n`);
  }
  return {
    connected: (session) =>
      line(
        'connected',
        { session },
        'green',
        `Connected: calls of the session ${visibleLine(session)} run here.`,
      ),
    waiting(why, retryMs) {
      const seconds = Math.max(1, Math.round(retryMs / 1000));
      line(
        'waiting',
        { why, retry_ms: Math.round(retryMs) },
        'yellow',
        `${visibleLine(why)} Trying again in ${seconds} s.`,
      );
    },
    call(asked, isOrdered) {
      const { id: call_id, tool, args } = asked;
      const text = isOrdered ? `→ ${callLine(asked)}` : `? ${callLine(asked)}`;
      line(isOrdered ? 'call' : 'question', { call_id, tool, args }, 'cyan', text);
    },
    question(asked) {
      const { id: call_id, tool, args } = asked;
      line(
        'left',
        { call_id, tool, args },
        'yellow',
        `? ${callLine(asked)} waits for a decision at the gateway.`,
      );
    },
    outcome(asked, outcome, isOrdered) {
      const { status, durationMs } = outcome;
      const isGood = status === 'completed';
      const why = isGood ? '' : ` ${outcome.error.code}: ${visibleLine(outcome.error.message)}`;
      const fields = {
        call_id: asked.id,
        status,
        duration_ms: durationMs,
        ...(!isGood && { error: outcome.error }),
      };
      const mark = isGood ? '✓' : '✗';
      const told = isOrdered ? `${status} in ${durationMs} ms` : status;
      line(
        'outcome',
        fields,
        isGood ? 'green' : 'red',
        `${mark} ${visibleLine(asked.wire.tool)} ${told}${why}`,
      );
    },
    notice: (text) => line('notice', { text }, 'yellow', visibleLine(text)),
    defect(error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeText(2, `codelab: a defect, please report it.\n${visible(text)}\n`);
    },
  };
}
