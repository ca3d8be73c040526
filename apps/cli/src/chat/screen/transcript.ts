// What an agent does, as the chat tells it: what is said, and a card for every call.
import { type AgentSignal, type Plan, visibleLine } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { type CardTable, createCardTable } from './card-table.ts';
import { createSpeech, type Speech, type SpeechOptions } from './speech.ts';

export type Transcript = {
  show(signal: AgentSignal): void;
  /** The plan of a call, as the log has it. */
  plan(callId: string, plan: Plan): void;
  live(spinner: string): string[];
};

export function createTranscript(options: SpeechOptions): Transcript {
  const { columns, paint } = options;
  const speech = createSpeech(options);
  const cards = createCardTable(() => ({ columns: columns(), paint }));
  return {
    show: (signal) => show(signal, { speech, cards, columns, paint }),
    plan: cards.plan,
    live: (spinner) => [...speech.live(), ...cards.live(spinner)],
  };
}

type Shown = { speech: Speech; cards: CardTable; columns(): number; paint: Paint };

function show(signal: AgentSignal, { speech, cards, columns, paint }: Shown): void {
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
      speech.say([paint('yellow', retryText(signal))]);
      break;
    case 'call':
      speech.end();
      cards.begin(signal.call);
      break;
    case 'approval':
      cards.wait(signal.approval.callId);
      break;
    case 'decided':
      cards.goOn();
      break;
    case 'progress':
      cards.progress(signal.callId, signal.progress);
      break;
    case 'outcome':
      speech.report(cards.end(signal.call, signal.outcome, signal.text));
      break;
    case 'ended':
      speech.end();
      cards.clear();
      speech.say(endingLines(signal, paint, columns()));
      break;
    case 'status':
      break;
  }
}

function retryText({ reason, discards }: Extract<AgentSignal, { type: 'retry' }>): string {
  const what = discards ? 'asking again from the start; what it said last is void' : 'trying again';
  return `↻ The model could not be reached (${visibleLine(reason)}); ${what}.`;
}

function endingLines(
  { end, message = '' }: Extract<AgentSignal, { type: 'ended' }>,
  paint: Paint,
  columns: number,
): string[] {
  switch (end) {
    case 'completed':
      return [];
    case 'cancelled':
      return [paint('yellow', '■ Cancelled. What was said and done so far stays.')];
    case 'failed':
    case 'step_limit':
    case 'cost_limit':
    case 'cut_off':
    case 'refused':
    case 'empty':
    case 'loop_detected':
      return wrapText(`✖ ${visibleLine(message)}`, columns).map((line) => paint('red', line));
  }
}
