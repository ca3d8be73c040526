// The failed tests in the output of a test runner: the name of each, its place in the sources, the line that says why, and what the runner printed about it.
import { readJest, readMocha, readNodeList, readTap, readVitest } from './javascript-failures.ts';
import { readCargo, readGo, readPytest } from './other-failures.ts';
import { type FailedTest, withoutColours } from './output-text.ts';

const longestOutput = 400_000;
const mostTests = 100;
const longestName = 200;
const longestReason = 300;

// The formats have so little in common that the first reader that finds a test is the right one.
const readers = [readTap, readNodeList, readVitest, readJest, readMocha, readPytest, readGo, readCargo];

/** Empty where the output names no test that failed. */
export function failedTests(output: string): FailedTest[] {
  const lines = withoutColours(output.slice(-longestOutput))
    .split('\n')
    .map((line) => line.trimEnd());
  for (const read of readers) {
    const tests = read(lines);
    if (tests.length > 0) return withoutRepeats(tests).map(shortened);
  }
  return [];
}

/** Runners print a failure where it happens and again at the end. Tests of the same name in different files are different tests. */
function withoutRepeats(tests: readonly FailedTest[]): FailedTest[] {
  const distinct: FailedTest[] = [];
  for (const test of tests) {
    const at = distinct.findIndex(({ name, place }) => name === test.name && isSamePlace(place, test.place));
    if (at === -1) distinct.push(test);
    else if (distinct[at]?.reason === '') distinct[at] = test;
    if (distinct.length === mostTests) break;
  }
  return distinct;
}

function isSamePlace(a: string, other: string): boolean {
  return a === other || a === '' || other === '';
}

function shortened({ name, place, reason, lines }: FailedTest): FailedTest {
  return {
    name: cut(name, longestName),
    place: cut(place, longestName),
    reason: cut(reason, longestReason),
    lines,
  };
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
