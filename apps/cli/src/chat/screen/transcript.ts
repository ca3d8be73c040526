// The agent's work as the chat shows it: its messages, a row for each step, and a line that sums up the turn.
import { type AgentSignal, type Plan, visibleLine } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { hangText, wrapText } from '../../output/text-width.ts';
import { retryText } from '../../run/output.ts';
import { loadCodeColours } from '../markdown/code-colours.ts';
import { type CallSteps, type CallStepsOptions, createCallSteps } from '../steps/call-steps.ts';
import { createTurnSummary, type ReadChanges } from '../steps/turn-summary.ts';
import { createReplyPrinter, type ReplyPrinter, type ReplyPrinterOptions } from './reply-printer.ts';

export type ScreenTranscript = {
  show(signal: AgentSignal): void;
  /** Prints lines that are not the agent's. */
  print(lines: readonly string[]): void;
  /** The plan of a call, from the log. */
  plan(callId: string, plan: Plan): void;
  /** Prints lines in the middle of the turn, after the steps so far. */
  interject(lines: readonly string[]): void;
  /** Called after the turn has ended: prints the line that sums it up. */
  summarize(readChanges: ReadChanges): Promise<void>;
  live(spinner: string): string[];
};

export function createTranscript(options: ReplyPrinterOptions & CallStepsOptions): ScreenTranscript {
  const { columns, paint } = options;
  const speech = createReplyPrinter(options);
  const steps = createCallSteps(options);
  const summary = createTurnSummary();
  let retryAt = 0;
  return {
    show(signal) {
      summary.count(signal);
      if (signal.type === 'retry') retryAt = Date.now() + signal.afterMs;
      else if (signal.type !== 'status') retryAt = 0;
      show(signal, { speech, steps, columns, paint });
    },
    print: speech.say,
    plan: (callId, plan) => steps.plan(callId, plan),
    interject(lines) {
      speech.end();
      speech.report(steps.closeLooks());
      speech.say(['', ...lines, '']);
    },
    async summarize(readChanges) {
      const facts = await summary.end(readChanges);
      if (facts !== '') speech.say(['', paint('dim', `  ${facts}`)]);
    },
    live(spinner) {
      const seconds = Math.ceil((retryAt - Date.now()) / 1000);
      const retryLine = seconds > 0 ? [paint('yellow', `${spinner} Retrying in ${seconds} s`)] : [];
      return [...speech.live(), ...steps.live(spinner), ...retryLine];
    },
  };
}

type Shown = { speech: ReplyPrinter; steps: CallSteps; columns(): number; paint: Paint };

function show(signal: AgentSignal, { speech, steps, columns, paint }: Shown): void {
  const isAside = signal.type === 'status' || signal.type === 'progress' || signal.type === 'reasoning';
  // The group of reads before the next output is printed first.
  if (!isAside && signal.type !== 'call' && signal.type !== 'outcome' && !isSilent(signal))
    speech.report(steps.closeLooks());
  switch (signal.type) {
    case 'text':
      speech.text(signal.delta);
      break;
    case 'reasoning':
      speech.reasoning(signal.delta);
      break;
    case 'reply':
      speech.endReply(signal.reply.text);
      break;
    case 'retry':
      speech.end();
      speech.say(hangText('↻ ', retryText(signal, true), columns()).map((line) => paint('yellow', line)));
      break;
    case 'call':
      speech.end();
      steps.begin(signal.call);
      break;
    case 'approval':
      steps.wait(signal.approval.callId);
      break;
    case 'decided':
      steps.goOn();
      break;
    case 'progress':
      steps.progress(signal.callId, signal.progress);
      break;
    case 'outcome':
      speech.report(steps.end(signal.call, signal.outcome, signal.text));
      break;
    case 'ended':
      speech.end();
      steps.clear();
      speech.say(endingLines(signal, paint, columns()));
      break;
    case 'status':
      // The colours are loaded long before the model's first answer.
      void loadCodeColours();
      break;
  }
}

/** A reply without text: its calls continue the open group. */
function isSilent(signal: AgentSignal): boolean {
  if (signal.type === 'text') return signal.delta === '';
  if (signal.type === 'decided') return true;
  return signal.type === 'reply' && signal.reply.text === '';
}

/** How a turn ended, with the next step; nothing after one that completed. */
export function endingLines(
  { end, message = '' }: Pick<Extract<AgentSignal, { type: 'ended' }>, 'end' | 'message'>,
  paint: Paint,
  columns: number,
): string[] {
  // The advice follows the error.
  const ending = (problem: string, next: string): string[] => [
    ...wrapText(problem, columns).map((line) => paint('red', line.trimEnd())),
    ...wrapText(next, columns - 2).map((line) => paint('dim', `  ${line.trimEnd()}`)),
  ];
  switch (end) {
    case 'completed':
      return [];
    case 'cancelled':
      return [paint('yellow', '■ Cancelled. The reply and the changes so far stay. /continue resumes.')];
    case 'unanswered':
      return wrapText(`■ ${visibleLine(message)} /again asks again.`, columns).map((line) =>
        paint('yellow', line),
      );
    case 'failed':
    case 'refused':
    case 'empty':
      return ending(
        `✖ ${visibleLine(message)}`,
        '/retry asks again, /model chooses another model, /compact shortens the conversation.',
      );
    case 'step_limit':
    case 'cost_limit':
    case 'cut_off':
    case 'loop_detected':
      return ending(`✖ ${visibleLine(message)}`, '/continue resumes.');
  }
}
