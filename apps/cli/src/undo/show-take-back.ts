// `--dry-run`: what an undo, a redo or a restore would do, by its plan. Nothing is changed.
import { visibleLine } from '@codelab/protocol';
import { createRegistry, type Host, randomId } from '@codelab/runtime';
import { diffText } from '../approval/diff-text.ts';
import { paintFor } from '../output/paint.ts';
import { screenWidth } from '../output/screen-width.ts';
import { writeText } from '../output/write-text.ts';
import type { TakeBack } from './take-back.ts';

export async function showTakeBack(
  host: Host,
  { verb, args, session = randomId() }: Omit<TakeBack, 'verb'> & { verb: string },
  { json = false }: { json?: boolean | undefined },
): Promise<number> {
  const registry = await createRegistry(host, { session, dialect: 'codelab' });
  const { plan, verdict } = await registry.approvalRequest(verb, args);
  const { summary, touches, notes, diff } = plan;
  const isDenied = verdict.verdict === 'deny';
  if (json) {
    writeText(1, `${JSON.stringify({ summary, touches, notes, diff: diff?.text ?? '' })}\n`);
    return isDenied ? 1 : 0;
  }
  const paint = paintFor(1);
  const lines = [
    paint('bold', visibleLine(summary)),
    ...notes.map((note) => `  ${visibleLine(note)}`),
    ...(diff === undefined || diff.text === ''
      ? []
      : ['', ...diffText(diff, { columns: screenWidth(), paint })]),
    ...(isDenied
      ? [`Denied by the rule "${visibleLine(verdict.rule)}": ${visibleLine(verdict.reason)}`]
      : []),
    'Nothing was changed (--dry-run).',
  ];
  writeText(1, lines.map((line) => `${line}\n`).join(''));
  return isDenied ? 1 : 0;
}
