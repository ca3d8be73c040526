/**
 * `npm test`: system tools, build, then every test but those of the editor, which `npm run test:editor` runs. Arguments go to vitest.
 * Above the last line, which is always `N passed, N failed`, stand the tests that were tried again or skipped.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'codelab-test-'));
const reportFile = join(scratch, 'report.json');

if (process.platform !== 'win32') run('bash', ['scripts/install-debian.sh']);
const built = run(process.execPath, ['scripts/build.ts']);
const green = built && runTests(process.argv.slice(2));
const { passed, failed } = count(green);
rmSync(scratch, { recursive: true, force: true });

process.exitCode = green && failed === 0 && passed > 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed`);

function runTests(args: string[]): boolean {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    '--reporter=./test/support/name-retried.ts',
  ];
  const projects = args.includes('--project') ? [] : ['--project', '!editor'];
  return run(process.execPath, [vitest, 'run', ...reporters, ...projects, ...args]);
}

function run(program: string, args: string[]): boolean {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** A file that does not load, or an error outside any test, counts as one failure: red never reads as "0 failed". */
function count(green: boolean): { passed: number; failed: number } {
  const report = readReport();
  if (!report) return { passed: 0, failed: built ? 0 : 1 };
  const broken = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: green ? failed : Math.max(failed, 1) };
}

function readReport(): Report | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return undefined;
  }
}
