// For people: the answer on standard output as it comes, what is done meanwhile on standard error.
import { visible, visibleLine } from '@codelab/protocol';
import { paintFor } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';
import { callLine } from './call-line.ts';
import type { RunOutput } from './run-output.ts';

export function textOutput({ isAnswerJson = false } = {}): RunOutput {
  const paint = paintFor(2);
  let isMidLine = false;
  const note = (line: string): void => {
    if (isMidLine) writeText(1, '\n');
    isMidLine = false;
    writeText(2, `${line}\n`);
  };
  return {
    show(signal) {
      if (signal.type === 'text' && signal.delta !== '' && !isAnswerJson) {
        writeText(1, visible(signal.delta));
        isMidLine = !signal.delta.endsWith('\n');
      }
      if (signal.type === 'retry') {
        const what = signal.discards
          ? 'asking again from the start; what it said last is void'
          : 'trying again';
        note(paint('yellow', `  The model could not be reached (${visibleLine(signal.reason)}); ${what}.`));
      }
      if (signal.type === 'call') note(paint('dim', `● ${callLine(signal.call)}`));
      if (signal.type === 'outcome' && signal.outcome.status !== 'completed') {
        const { status, error } = signal.outcome;
        note(paint('red', `  ${status}: ${visibleLine(error.message)}`));
      }
    },
    end({ stop_reason: reason, message, session, refused, ...result }) {
      if (isMidLine) writeText(1, '\n');
      if ('output' in result) writeText(1, `${JSON.stringify(result.output)}\n`);
      const lines: string[] = [];
      if (refused > 0)
        lines.push(
          `${refused === 1 ? 'One call was' : `${refused} calls were`} refused and not made. Whoever may decide: --approve ask, or --approve all.`,
        );
      if (reason !== 'completed' && reason !== 'call_refused')
        lines.push(`The turn ended as ${reason}${message ? `: ${visibleLine(message)}` : '.'}`);
      if (lines.length > 0) lines.push(`Go on with: codelab sessions resume ${session}`);
      for (const line of lines) writeText(2, `${line}\n`);
    },
  };
}
