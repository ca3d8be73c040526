// The end of a session that is gone on with: what was said last, so that whoever comes back knows where they are.
import { type SessionEvent, visible } from '@codelab/protocol';
import type { Paint } from '../output/paint.ts';
import { callLine } from '../run/call-line.ts';
import { createMarkdownStream } from './markdown/markdown-stream.ts';
import { userLines } from './screen/user-lines.ts';

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
        return ['', ...userLines(body.text, { paint, columns })];
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
