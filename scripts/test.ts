/**
 * `npm test`: system tools, build, then every test but those of the editor, which `npm run test:editor` runs. Arguments go to vitest. The
 * last line is always `N passed, N failed`; above it are the tests that were retried or skipped. A few failed files run once more, each
 * alone: what fails there too has failed. Unit tests are not retried.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/** More failures than this have a cause other than the machine's load. */
const mostFilesAgain = 4;

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'codelab-test-'));

if (process.platform !== 'win32') run('bash', ['scripts/install-debian.sh']);
const built = run(process.execPath, ['scripts/build.ts']);
const { passed, failed } = built ? runTests(process.argv.slice(2)) : { passed: 0, failed: 1 };
rmSync(scratch, { recursive: true, force: true });

process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed`);

function runTests(args: string[]): { passed: number; failed: number } {
  const first = runVitest('all', args);
  const flakyFiles = filesToRunAgain(first.report);
  if (first.green || flakyFiles.length === 0) return count(first);
  console.log(`Running again, each by itself: ${flakyFiles.join(', ')}`);
  const project = args.indexOf('--project');
  const sameProject = project === -1 ? [] : args.slice(project, project + 2);
  const counts = flakyFiles.map((file, index) => {
    const second = count(runVitest(`again-${index}`, [...sameProject, file, '--maxWorkers=1']));
    if (second.failed === 0) console.log(`Failed beside others, passed by itself: ${file}`);
    return second;
  });
  const rest = withoutFiles(first.report, flakyFiles);
  return { passed: rest + sum(counts.map((c) => c.passed)), failed: sum(counts.map((c) => c.failed)) };
}

/** The failed files that get a second try; none if too many failed, if a unit test did, or if the failure belongs to no test. */
function filesToRunAgain(report: Report | undefined): string[] {
  const failed = report?.testResults.filter((file) => file.status === 'failed') ?? [];
  const files = failed.map((file) => relative(root, file.name));
  const isSystemTest = (file: string) => file.startsWith(`test${sep}`);
  return files.length <= mostFilesAgain && files.every(isSystemTest) ? files : [];
}

function withoutFiles(report: Report | undefined, files: string[]): number {
  const others = report?.testResults.filter((file) => !files.includes(relative(root, file.name))) ?? [];
  return sum(others.map((file) => file.assertionResults.filter((test) => test.status === 'passed').length));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function runVitest(name: string, args: string[]): { green: boolean; report: Report | undefined } {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reportFile = join(scratch, `${name}.json`);
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    '--reporter=./test/support/name-retried.ts',
  ];
  const projects = args.includes('--project') ? [] : ['--project', '!editor'];
  const green = run(process.execPath, [vitest, 'run', ...reporters, ...projects, ...args]);
  return { green, report: readReport(reportFile) };
}

function run(program: string, args: string[]): boolean {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** A file that does not load, or an error outside any test, counts as one failure: red never reads as "0 failed". */
function count({ green, report }: { green: boolean; report: Report | undefined }): {
  passed: number;
  failed: number;
} {
  if (!report) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: green ? failed : Math.max(failed, 1) };
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
