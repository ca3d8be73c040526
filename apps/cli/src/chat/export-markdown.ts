// A conversation as a Markdown document: messages, steps and diffs, for people to read and keep.
import { type Outcome, type Plan, type SessionEvent, type ToolCall, visible } from '@codelab/protocol';
import { dayTime } from '../output/units.ts';
import { undoEventText } from './recap-lines.ts';
import { stepTitle } from './steps/step-lines.ts';

const mostOutput = 40;

export function exportMarkdown(events: readonly SessionEvent[]): string {
  const calls = new Map<string, { call: ToolCall; plan?: Plan }>();
  const parts = events.flatMap(({ body, time: at }): string[] => {
    if (body.type === 'call.received') calls.set(body.call.id, { call: body.call });
    if (body.type === 'call.planned') {
      const call = calls.get(body.callId);
      if (call !== undefined) call.plan = body.plan;
    }
    if (body.type === 'turn.started' && body.agent === undefined)
      return [`## Turn ${body.turn}`, `*${dayTime(at)}, ${body.model}*`, quoted(body.text)];
    if (body.type === 'model.replied' && body.agent === undefined && body.reply.text.trim() !== '')
      return [visible(body.reply.text).trim()];
    if (body.type === 'turn.steered') return [quoted(body.text)];
    const undoText = undoEventText(body);
    if (undoText !== undefined) return [`*${undoText}*`];
    const openCall = body.type === 'call.finished' ? calls.get(body.callId) : undefined;
    if (body.type === 'call.finished' && openCall !== undefined) return callPart(openCall, body.outcome);
    if (body.type === 'turn.ended' && body.agent === undefined && body.end !== 'completed')
      return [`*The turn ended: ${visible(body.message ?? body.end)}*`];
    return [];
  });
  return `# CodeLab session\n\n${parts.join('\n\n')}\n`;
}

function callPart({ call, plan }: { call: ToolCall; plan?: Plan }, outcome: Outcome): string[] {
  const isGood = outcome.status === 'completed';
  const code = isGood ? outcome.data.exit_code : undefined;
  const end = isGood
    ? typeof code === 'number'
      ? `, exit code ${code}`
      : ''
    : `: ${visible(outcome.error.message)}`;
  const title = `- ${isGood && !code ? '✔' : '✖'} \`${stepTitle(call, plan).replaceAll('`', 'ˋ')}\`${end}`;
  if (!isGood) return [title];
  if (plan?.diff !== undefined && plan.diff.text !== '') return [title, fenced(plan.diff.text, 'diff')];
  const { stdout = '', stderr = '' } = outcome.data;
  const printed = `${String(stdout)}\n${String(stderr)}`.trim();
  if (typeof code !== 'number' || printed === '') return [title];
  const lines = printed.split('\n');
  const hidden = lines.length - mostOutput;
  const shownLines = hidden > 0 ? [`… ${hidden} more lines above`, ...lines.slice(-mostOutput)] : lines;
  return [title, fenced(shownLines.join('\n'), '')];
}

/** The fence is longer than any inside the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visible(text).trimEnd()}\n${fence}`;
}

function quoted(text: string): string {
  return visible(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
