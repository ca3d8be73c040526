// What the human said, as it stays on the screen.
import { visible } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { wrapText } from '../../output/wrap-text.ts';

const mostLines = 12;

export function userLines(text: string, { paint, columns }: { paint: Paint; columns: number }): string[] {
  const lines = visible(text)
    .replaceAll('\t', '    ')
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapText(line, Math.max(20, columns - 2)));
  const left = lines.length - mostLines;
  const shown = left > 0 ? lines.slice(0, mostLines) : lines;
  return [
    ...shown.map((line, i) => `${paint('cyan', i === 0 ? '❯' : ' ')} ${paint('bold', line)}`),
    ...(left > 0 ? [paint('dim', `  … ${left} more lines`)] : []),
  ];
}
