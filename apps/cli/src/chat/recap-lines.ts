// The end of a resumed session: the latest messages, so that the user knows where the conversation stopped.
import { type SessionEvent, visible, visibleLine } from '@codelab/protocol';
import type { Paint } from '../output/paint.ts';
import { cutToWidth } from '../output/text-width.ts';
import { callLine } from '../run/output.ts';
import { createMarkdownStream } from './markdown/markdown-stream.ts';
import { userLines } from './screen/reply-printer.ts';

const shownTurns = 2;
const mostLines = 60;

export function recapLines(
  events: readonly SessionEvent[],
  { paint, columns }: { paint: Paint; columns: number },
): string[] {
  const starts = events.filter(({ body }) => body.type === 'turn.started' && body.agent === undefined);
  const from = starts.at(-shownTurns)?.seq ?? 0;
  const lines = events
    .filter(({ seq }) => seq >= from)
    .flatMap(({ body }): string[] => {
      if (body.type === 'turn.started' && body.agent === undefined)
        return body.again ? [] : ['', ...userLines(body.text, { paint, columns })];
      if (body.type === 'turn.steered') return ['', ...userLines(body.text, { paint, columns })];
      const undone = undoEventText(body);
      if (undone !== undefined) return ['', paint('yellow', cutToWidth(undone, columns))];
      if (body.type !== 'model.replied' || body.agent !== undefined) return [];
      const markdown = createMarkdownStream({ columns: () => columns, paint });
      const text = [...markdown.push(body.reply.text), ...markdown.end()];
      const calls = body.reply.calls.map((call) => paint('dim', visible(`● ${callLine(call)}`)));
      return ['', ...text, ...calls];
    });
  const left = Math.max(0, starts.length - shownTurns);
  const head = left === 0 ? [] : [paint('dim', `  … ${left} earlier ${left === 1 ? 'turn' : 'turns'}`)];
  return [...head, ...lines.slice(-mostLines)];
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
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return `↶ You ${verb} changes to ${visibleLine(paths.slice(0, mostNamed).join(', '))}${more}`;
}
