// The tests that a command reported as failed, in a few lines: name, place and the reason of each, instead of the end of the raw output.
import { isAbsolute, relative } from 'node:path';
import { failedTests, visibleLine } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { cutToWidth } from '../../output/text-width.ts';
import { type LinkOf, linkedText } from '../markdown/path-links.ts';

/** How a step is drawn. */
export type StepSetting = {
  columns: number;
  paint: Paint;
  /** The workspace, to shorten paths in it. */
  root?: string | undefined;
  linkOf?: LinkOf | undefined;
};

const mostTests = 6;
/** The first failures are often the cause of the others: what the runner printed about them is shown. */
const wholeTests = 2;
const linesOfTest = 8;

/** Empty where the output names no failed test. */
export function failedTestLines(output: string, { columns, paint, root, linkOf }: StepSetting): string[] {
  const tests = failedTests(output);
  const hidden = tests.length - mostTests;
  const fit = (text: string, indent: number): string => cutToWidth(visibleLine(text), columns - indent);
  const lines = tests
    .slice(0, mostTests)
    .flatMap(({ name, place, reason, lines: printed }, at) => [
      `  ${paint('red', '✖')} ${linkedText(fit(place === '' ? name : `${name} · ${shortPlace(place, root)}`, 5), linkOf)}`,
      ...(at < wholeTests && printed.length > 0
        ? endsOf(printed).map(
            (line) => `    ${paint('red', '│')} ${linkedText(fit(shortPaths(line, root), 7), linkOf)}`,
          )
        : reason === ''
          ? []
          : [paint('dim', `    ${fit(reason, 5)}`)]),
    ]);
  if (lines.length === 0) return [];
  const overflowNote = hidden > 0 ? `… ${hidden} more failed ${hidden === 1 ? 'test' : 'tests'} · ` : '';
  return [...lines, paint('dim', fit(`  ${overflowNote}Ctrl-O shows the output`, 1))];
}

/** The beginning of what was printed, and its last line, which has the place. */
function endsOf(lines: readonly string[]): readonly string[] {
  const messageLines = lines.filter((line) => line.trim() !== '');
  return messageLines.length <= linesOfTest
    ? messageLines
    : [...messageLines.slice(0, linesOfTest - 2), '…', messageLines.at(-1) ?? ''];
}

function shortPaths(line: string, root: string | undefined): string {
  return root === undefined ? line : line.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
}

/** A place in the workspace by its path from there, which editors and links take; test runners print whole paths. */
function shortPlace(place: string, root: string | undefined): string {
  if (root === undefined || !isAbsolute(place)) return place;
  const inside = relative(root, place);
  return inside.startsWith('..') ? place : inside;
}
