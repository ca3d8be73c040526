// The tests that a command reported as failed, in a few lines: name, place and the reason of each, instead of the end of the raw output.
import { failedTests, visibleLine } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { cutToWidth } from '../../output/text-width.ts';

const mostTests = 6;

/** Empty where the output names no failed test. */
export function failedTestLines(
  output: string,
  { columns, paint }: { columns: number; paint: Paint },
): string[] {
  const tests = failedTests(output);
  const hidden = tests.length - mostTests;
  const fit = (text: string, indent: number): string => cutToWidth(visibleLine(text), columns - indent);
  const lines = tests
    .slice(0, mostTests)
    .flatMap(({ name, place, reason }) => [
      `  ${paint('red', '✖')} ${fit(place === '' ? name : `${name} · ${place}`, 5)}`,
      ...(reason === '' ? [] : [paint('dim', `    ${fit(reason, 5)}`)]),
    ]);
  if (lines.length === 0) return [];
  const more = hidden > 0 ? `… ${hidden} more failed ${hidden === 1 ? 'test' : 'tests'} · ` : '';
  return [...lines, paint('dim', fit(`  ${more}Ctrl-O shows the output`, 1))];
}
