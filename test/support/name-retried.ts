// A reporter that names, after the summary, each test that passed only on a retry, and counts the skipped tests of each file.
import type { Reporter, TestCase, TestModule } from 'vitest/node';

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export.
export default class NameRetried implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const retried = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0 && test.ok());
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    for (const test of retried) write(`Passed when tried again: ${nameOf(test)}`);
    for (const [file, count] of countByFile(skipped)) write(`Skipped: ${count} in ${file}`);
    write(`${retried.length} tried again, ${skipped.length} skipped`);
  }
}

function countByFile(tests: readonly TestCase[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { module } of tests)
    counts.set(module.relativeModuleId, (counts.get(module.relativeModuleId) ?? 0) + 1);
  return counts;
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
