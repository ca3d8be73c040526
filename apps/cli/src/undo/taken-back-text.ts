// What an undo or redo did, file by file, and what it left alone.
import { type Effect, visibleLine } from '@codelab/protocol';
import type { Paint } from '../output/paint.ts';
import type { TakenBack } from './take-back.ts';

export function takenBackText(
  { data, effects }: TakenBack,
  { isForced, paint }: { isForced: boolean; paint: Paint },
): string {
  // A turn may have changed a file several times; only what became of it in the end is told.
  const last = new Map(effects.map((effect) => [effect.path, effect]));
  const hint = isForced ? '' : ' (use --force)';
  const lines = [
    ...[...last.values()].map(effectText),
    ...data.refused.map(({ path, reason }) =>
      paint('yellow', `refused ${visibleLine(path)}: ${visibleLine(reason)}${hint}`),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function effectText({ op, path, from, before }: Effect): string {
  const name = visibleLine(path);
  if (op === 'move') return `moved ${visibleLine(from ?? '')} to ${name}`;
  if (op !== 'delete') return `restored ${name}`;
  return `removed ${before?.type === 'directory' ? 'folder ' : ''}${name}`;
}
