// The number of passed and failed tests, from the summary of a test runner. Undefined where the output has no summary.
import { withoutColours } from './output-text.ts';

export type TestCounts = { passed: number; failed: number; skipped: number };

/** One line of a runner's summary; several such lines, as of several packages, are added up. */
type Summary = { line: RegExp; read(line: string): Partial<TestCounts> };

const mostLines = 400;

const summaries: readonly Summary[] = [
  // vitest: Tests  1 failed | 2 passed (3); jest: Tests: 1 failed, 2 passed, 3 total
  { line: /^\s*Tests:?\s+\d+ (?:failed|passed|skipped|todo|total)\b/, read: byWord },
  // pytest: === 1 failed, 2 passed in 0.12s ===
  { line: /^=*\s*\d+ (?:passed|failed|errors?|skipped|xfailed)\b.* in [\d.]+ ?s/, read: byWord },
  // cargo: test result: ok. 5 passed; 0 failed; 1 ignored
  { line: /^test result: /, read: byWord },
  // node:test, as a list or as TAP: ℹ pass 2, # fail 0
  { line: /^(?:ℹ|#) (?:pass|fail|skipped) \d+$/, read: (line) => byWord(swapped(line)) },
  // mocha: 2 passing (10ms); Playwright: 2 passed (5s); bun: 2 pass
  {
    line: /^\s{1,4}\d+ (?:passing|failing|pending|passed|failed|skipped|pass|fail|skip)(?: \([\d.]+\s?m?s\))?$/,
    read: byWord,
  },
  // Maven: Tests run: 5, Failures: 1, Errors: 0, Skipped: 0
  { line: /^(?:\[\w+\] )?Tests run: \d+.*(?<!Time elapsed.*)$/, read: byRun },
  // dotnet: Failed! - Failed: 1, Passed: 2, Skipped: 0
  { line: /(?:Failed|Passed)!?\s+- Failed:\s+\d+, Passed:\s+\d+/, read: (line) => byWord(swapped(line)) },
  // rspec: 10 examples, 2 failures
  { line: /^\d+ examples?, \d+ failures?/, read: byExample },
];

export function testCounts(output: string): TestCounts | undefined {
  const lines = withoutColours(output).trimEnd().split('\n').slice(-mostLines);
  for (const { line: pattern, read } of summaries) {
    const summaryLines = lines.filter((line) => pattern.test(line.trimEnd()));
    if (summaryLines.length === 0) continue;
    const counts = summaryLines.map((line) => read(line));
    const sum = (name: keyof TestCounts): number =>
      counts.reduce((total, runner) => total + (runner[name] ?? 0), 0);
    const totals = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
    if (totals.passed + totals.failed > 0) return totals;
  }
  return undefined;
}

const words: Record<keyof TestCounts, RegExp> = {
  passed: /(\d+) pass(?:ed|ing)?\b/,
  failed: /(\d+) (?:fail(?:ed|ing|ures?)?|errors?)\b/,
  skipped: /(\d+) (?:skip(?:ped)?|ignored|pending)\b/,
};

function byWord(line: string): Partial<TestCounts> {
  const count = (pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? 0);
  return { passed: count(words.passed), failed: count(words.failed), skipped: count(words.skipped) };
}

/** `Failed: 1` and `fail 1` as `1 failed`. */
function swapped(line: string): string {
  return line.replace(
    /([A-Za-z]+):?\s+(\d+)/g,
    (_, word: string, count: string) => `${count} ${word.toLowerCase()}`,
  );
}

function byRun(line: string): Partial<TestCounts> {
  const count = (name: string): number => Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0);
  const failed = count('Failures') + count('Errors');
  const skipped = count('Skipped');
  return { passed: count('Tests run') - failed - skipped, failed, skipped };
}

function byExample(line: string): Partial<TestCounts> {
  const [total = 0, failed = 0] = (line.match(/\d+/g) ?? []).map(Number);
  const skipped = Number(/(\d+) pending/.exec(line)?.[1] ?? 0);
  return { passed: total - failed - skipped, failed, skipped };
}
