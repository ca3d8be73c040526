/**
 * `npm run test:portable`: a selection of the suite as on a system without /proc, without a sandbox and without watchers, and a part of it
 * on a case-insensitive file system. Prints which guarantees held; fails when one that docs/systems.md promises does not. Names of test
 * files as arguments replace the selection.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Report {
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
}

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'codelab-portable-'));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const chosenFiles = process.argv.slice(2);

const files = [
  ...[
    'project/portable',
    'files/editing',
    'files/bytes',
    'patch/disk',
    'patch/links',
    'undo/undo',
    'recovery/recovery',
    'log/watching',
  ],
  ...['attacks/links', 'attacks/paths', 'attacks/state-folder', 'recovery/race', 'recovery/remove-tree'],
  ...['process/commands', 'process/supervised'],
];
const withoutCase = ['project/portable', 'files/editing', 'files/bytes', 'patch/disk', 'undo/undo'];

/** Guarantees that a system without /proc lacks by docs/systems.md, by the names of the tests that prove them elsewhere. */
const notPromised = [
  /everything it started ends with it/,
  /folders that their owner closed are opened/,
  /names that are not UTF-8/,
  /state folder that is mounted into the workspace/,
  // With watchers switched off, changes are not reported again.
  /watched for again when one is free/,
];

/** These tests read /proc themselves, or use /dev/stdout or mount, which depend on it. Each passes where only CodeLab does without /proc. */
const needsProc = [
  /print into \/dev\/stdout/,
  /a process is started, written to, read, listed and ended/,
  /what is mounted inside is left alone/,
];

/** Owners and modes are not those of a Unix disk there; the patches are open, see docs/systems.md. */
const openOnNtfs = [
  /E-08/,
  /renamed and executable files/,
  /a patch of many files/,
  /a file changed since is refused/,
];

const runs = [
  { subject: 'no /proc, no sandbox, no watchers', files, ...withoutProc() },
  ...caseInsensitive().map((mount) => ({ subject: 'the same, case ignored', files: withoutCase, ...mount })),
];
const isWhole = runs.map(run).every((isPassed) => isPassed);
process.exitCode = isWhole ? 0 : 1;

type Place = { label: string; before: string[]; env: NodeJS.ProcessEnv };

/** /proc is really hidden where a mount namespace can be made; else only CodeLab does not use it. */
function withoutProc(): Place {
  const line = 'mount -t tmpfs none /proc && exec "$@"';
  const before = ['unshare', '--mount', 'sh', '-c', line, 'sh'];
  const isAllowed = succeeds([...before, 'true']);
  return {
    label: isAllowed ? '/proc hidden in a mount namespace' : 'CODELAB_WITHOUT',
    before: isAllowed ? before : [],
    env: { CODELAB_WITHOUT: 'proc,sandbox,watch' },
  };
}

/** NTFS through FUSE (the package ntfs-3g): the kernels of most machines are built without anything else that ignores case. */
function caseInsensitive(): Place[] {
  const image = join(scratch, 'ntfs.img');
  const folder = join(scratch, 'mnt');
  mkdirSync(folder);
  const isMounted =
    succeeds(['truncate', '-s', '256M', image]) &&
    succeeds(['mkntfs', '-F', '-q', '-f', image]) &&
    succeeds(['lowntfs-3g', image, folder, '-o', 'ignore_case,permissions,acl']) &&
    statSync(folder).dev !== statSync(scratch).dev;
  if (!isMounted) {
    console.log('skipped  case ignored: needs root, /dev/fuse and the package ntfs-3g');
    process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
    return [];
  }
  process.on('exit', () => succeeds(['umount', folder]) && rmSync(scratch, { recursive: true, force: true }));
  const env = { CODELAB_WITHOUT: 'proc,sandbox,watch', TMPDIR: folder };
  return [{ label: 'NTFS, lowntfs-3g with ignore_case', before: [], env }];
}

function run({ subject, label, files, before, env }: Place & { subject: string; files: string[] }): boolean {
  const report = join(scratch, 'report.json');
  rmSync(report, { force: true });
  const names = chosenFiles.length > 0 ? chosenFiles : files.map((name) => `test/${name}.test.ts`);
  const reporters = ['--reporter=json', `--outputFile.json=${report}`];
  const argv = [
    ...before,
    process.execPath,
    vitest,
    'run',
    ...names,
    ...reporters,
    '--maxWorkers=2',
    '--testTimeout=180000',
  ];
  const [program = '', ...args] = argv;
  const started = performance.now();
  spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tests = read(report).testResults.flatMap((file) => file.assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  const broken = failed.filter((name) => !isExpected(name, { label, before, env }));
  const passCount = tests.filter(({ status }) => status === 'passed').length;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${subject} (${label}): ${passCount} of ${tests.length} tests hold, ${seconds} s`);
  for (const name of failed)
    console.log(`  ${broken.includes(name) ? 'BROKEN      ' : 'expected    '}  ${name}`);
  return broken.length === 0 && passCount > 0;
}

function isExpected(name: string, { before, env }: Place): boolean {
  const exceptions = [
    ...(before.length > 0 ? needsProc : []),
    ...(env.TMPDIR === undefined ? [] : openOnNtfs),
  ];
  return [...notPromised, ...exceptions].some((pattern) => pattern.test(name));
}

function succeeds([program = '', ...args]: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function read(report: string): Report {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { testResults: [] };
  }
}
