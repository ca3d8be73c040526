// The end of a resumed session: the latest messages and steps, so that the user sees where the conversation stopped.
import { type SessionEvent, type ToolCall, visibleLine } from '@codelab/protocol';
import { cutToWidth } from '../output/text-width.ts';
import { countOf } from '../output/units.ts';
import { createMarkdownStream } from './markdown/markdown-stream.ts';
import { userLines } from './screen/reply-printer.ts';
import { endingLines } from './screen/transcript.ts';
import { type CallStepsOptions, createCallSteps } from './steps/call-steps.ts';

const shownTurns = 2;
const mostLines = 60;

type Setting = Pick<CallStepsOptions, 'paint' | 'kindOf' | 'linkOf' | 'root'> & { columns: number };

export function recapLines(events: readonly SessionEvent[], setting: Setting): string[] {
  const { paint } = setting;
  const starts = events.filter(({ body }) => body.type === 'turn.started' && body.agent === undefined);
  const from = starts.at(-shownTurns)?.seq ?? 0;
  const steps = createCallSteps({ ...setting, columns: () => setting.columns });
  const calls = new Map<string, ToolCall>();
  const lines = events
    .filter(({ seq }) => seq >= from)
    .flatMap(({ body }): string[] => {
      if (body.type === 'call.received') calls.set(body.call.id, body.call);
      if (body.type === 'call.planned') steps.plan(body.callId, body.plan);
      const call = body.type === 'call.finished' ? calls.get(body.callId) : undefined;
      if (body.type === 'call.finished' && call !== undefined && body.turn !== undefined)
        return steps.end(call, body.outcome, '');
      const message = messageLines(body, setting);
      return message.length === 0 ? [] : [...steps.closeLooks(), '', ...message, ''];
    });
  const hidden = Math.max(0, starts.length - shownTurns);
  const head = hidden === 0 ? [] : [paint('dim', `  … ${countOf(hidden, 'earlier turn')} · /show all`)];
  return [...head, ...withoutDoubleBlanks([...lines, ...steps.closeLooks()]).slice(-mostLines)];
}

function messageLines(body: SessionEvent['body'], { paint, columns, linkOf }: Setting): string[] {
  if (body.type === 'turn.started')
    return body.again || body.agent !== undefined ? [] : userLines(body.text, { paint, columns });
  if (body.type === 'turn.steered') return userLines(body.text, { paint, columns });
  if (body.type === 'turn.ended') return body.agent === undefined ? endingLines(body, paint, columns) : [];
  const undoText = undoEventText(body);
  if (undoText !== undefined) return [paint('yellow', cutToWidth(undoText, columns))];
  if (body.type !== 'model.replied' || body.agent !== undefined) return [];
  const markdown = createMarkdownStream({ columns: () => columns, paint, linkOf });
  return [...markdown.push(body.reply.text), ...markdown.end()];
}

function withoutDoubleBlanks(lines: readonly string[]): string[] {
  return lines.filter((line, i) => line !== '' || (i > 0 && i < lines.length - 1 && lines[i - 1] !== ''));
}

/** An undo, a redo or a discard as an event of the conversation: a person changed files beside the turns. */
const verbs: Record<string, string> = { undo: 'undid', redo: 'redid', discard_changes: 'discarded' };
const mostNamed = 4;

/** Undefined for any other event. */
export function undoEventText(body: SessionEvent['body']): string | undefined {
  if (body.type !== 'call.finished' || body.turn !== undefined) return undefined;
  const { tool, status, effects } = body.outcome;
  const verb = Object.hasOwn(verbs, tool) ? verbs[tool] : undefined;
  const paths = [...new Set(effects.map(({ path }) => path))];
  if (verb === undefined || status !== 'completed' || paths.length === 0) return undefined;
  const overflowNote = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return `↶ You ${verb} changes to ${visibleLine(paths.slice(0, mostNamed).join(', '))}${overflowNote}`;
}
