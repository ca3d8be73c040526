// A conversation in full, for a pager: all messages, and each call with its whole output or diff.
import { type Outcome, type Plan, type SessionEvent, type ToolCall, visible } from '@codelab/protocol';
import { diffText } from '../approval/diff-text.ts';
import type { Paint } from '../output/paint.ts';
import { shownText } from '../output/shown-text.ts';
import { timeOfDay } from '../output/units.ts';
import { createMarkdownStream } from './markdown/markdown-stream.ts';
import { undoEventText } from './recap-lines.ts';
import { stepTitle } from './steps/step-lines.ts';

type Setting = {
  columns: number;
  paint: Paint;
  /** The outcome as the model received it. */
  describeOutcome(outcome: Outcome): string;
};

/** Of one turn, or of all. */
export function fullTurnLines(
  events: readonly SessionEvent[],
  turn: number | 'all',
  setting: Setting,
): string[] {
  const calls = new Map<string, { call: ToolCall; plan?: Plan }>();
  let now = 0;
  return events.flatMap(({ body, time: at }) => {
    if (body.type === 'turn.started' && body.agent === undefined) now = body.turn;
    if (body.type === 'call.received') calls.set(body.call.id, { call: body.call });
    if (body.type === 'call.planned') {
      const call = calls.get(body.callId);
      if (call !== undefined) call.plan = body.plan;
    }
    return turn === 'all' || now === turn ? linesOf(body, at, calls, setting) : [];
  });
}

function linesOf(
  body: SessionEvent['body'],
  at: number,
  calls: ReadonlyMap<string, { call: ToolCall; plan?: Plan }>,
  setting: Setting,
): string[] {
  const { paint, columns } = setting;
  switch (body.type) {
    case 'turn.started': {
      if (body.agent !== undefined) return [];
      const head = paint('dim', `── turn ${body.turn} · ${timeOfDay(at)} · ${body.model} ──`);
      const lines = shownText(body.text).split('\n');
      return ['', head, '', ...lines.map((line, i) => `${i === 0 ? '❯' : ' '} ${paint('bold', line)}`), ''];
    }
    case 'turn.steered':
      return [
        '',
        ...shownText(body.text)
          .split('\n')
          .map((line) => `❯ ${paint('bold', line)}`),
        '',
      ];
    case 'model.replied': {
      const markdown = createMarkdownStream({ columns: () => columns, paint });
      const text = [...markdown.push(body.reply.text), ...markdown.end()];
      const reasoning = (body.reply.reasoning ?? '').trim();
      const reasoningLines = reasoning === '' ? [] : visible(reasoning).split('\n');
      return [...reasoningLines.map((line) => paint(['dim', 'italic'], `  ${line}`)), ...text, ''];
    }
    case 'call.finished': {
      const undoText = undoEventText(body);
      if (undoText !== undefined) return ['', paint('yellow', undoText), ''];
      const call = calls.get(body.callId);
      return call === undefined ? [] : [...callLines(call, body.outcome, setting), ''];
    }
    case 'turn.ended':
      return body.end === 'completed' || body.agent !== undefined
        ? []
        : [paint('red', `${body.end}: ${visible(body.message ?? '')}`)];
    default:
      return [];
  }
}

function callLines(
  { call, plan }: { call: ToolCall; plan?: Plan },
  outcome: Outcome,
  { paint, columns, describeOutcome }: Setting,
): string[] {
  const isGood = outcome.status === 'completed' && !(Number(outcome.data.exit_code ?? 0) > 0);
  const head = `${paint(isGood ? 'green' : 'red', isGood ? '✔' : '✖')} ${paint('bold', stepTitle(call, plan))}`;
  const diff = plan?.diff;
  if (outcome.status === 'completed' && diff !== undefined && diff.text !== '')
    return [head, ...diffText(diff, { columns: columns - 2, paint }).map((line) => `  ${line}`)];
  const text = visible(describeOutcome(outcome)).trimEnd().replaceAll('\t', '    ');
  const outputFile = outcome.status === 'completed' ? outcome.data.output_file : undefined;
  const outputNote = typeof outputFile === 'string' ? [`  All of the output: ${visible(outputFile)}`] : [];
  return [head, ...text.split('\n').map((line) => `  ${line}`), ...outputNote];
}
