// Finds what a reading git command would show by running the same command for names only, before the line is judged. Files that may hold
// secrets are recorded as read, so that path rules match; a URL with a password needs approval.
import { join } from 'node:path';
import { type Phrase, phrase } from '@codelab/protocol';
import { findGit, hasCredentials, type ProgramRun, runProgram } from '../../../git/run-program.ts';
import { childEnvironment } from '../../../process/child-environment.ts';
import { isProtected } from '../../built-in-rules.ts';
import { alwaysAsks } from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import type { ParsedOptions } from '../options.ts';
import { safeGitEnvironment } from './git-settings.ts';
import type { FoundGitReading } from './reading-git.ts';

type ShownSecrets = { secrets: string[]; why?: Phrase };

const timeoutMs = 2000;
const maxBytes = 2 * 1024 * 1024;
const maxShown = 20;

const patches =
  `p u U c m W L patch unified cc binary check patch-with-stat word-diff color-words word-diff-regex
function-context inter-hunk-context`.split(/\s+/);
const summaries =
  `s q no-patch quiet name-only name-status stat numstat shortstat summary compact-summary dirstat raw`.split(
    ' ',
  );
const credentials = phrase('git.showsCredentials');
const unseen = phrase('git.secretsUnseen');

export async function noteShownByGit(state: LineState): Promise<void> {
  for (const reading of state.gits) {
    const { secrets, why } = await findShownSecrets(reading, state.workspace.root.real).catch(
      (): ShownSecrets => ({ secrets: [], why: unseen }),
    );
    for (const path of secrets.slice(0, maxShown)) state.touches.push({ asked: path, path, access: 'read' });
    const part = state.parts[reading.part];
    if (why !== undefined && part?.verdict === 'allow')
      state.parts[reading.part] = { ...part, ...alwaysAsks(why) };
  }
}

type RunGit = (args: readonly string[], input?: string) => Promise<ProgramRun>;

async function findShownSecrets(reading: FoundGitReading, root: string): Promise<ShownSecrets> {
  const { name, args, options, cwd } = reading;
  const signal = AbortSignal.timeout(timeoutMs);
  const env = { ...childEnvironment(root, 'plan'), ...safeGitEnvironment() };
  const git: RunGit = (gitArgs, input) =>
    runProgram({
      program: findGit(root),
      args: ['--no-pager', ...gitArgs],
      cwd: join(root, cwd),
      env,
      signal,
      maxBytes,
      ...(input === undefined ? {} : { input }),
    });
  const words = name.split(' ');
  if (/^(remote|config)/.test(name)) {
    const { stdout } = await git([...words, ...args]);
    return hasCredentials(stdout.toString()) ? { secrets: [], why: credentials } : { secrets: [] };
  }
  if (/^(show|cat-file|diff|grep)$/.test(name) && (await showsUnnamed(git, reading)))
    return { secrets: [], why: phrase('git.byHash') };
  if (name === 'grep') return secretsIn(await searchedBy(git, args, options));
  if (name === 'cat-file' || name === 'blame') return { secrets: [] };
  if (name === 'status') return secretsIn([await git(['diff', 'HEAD', '--name-only', '-z', '--no-renames'])]);
  if (!showsPatch(name, options)) return { secrets: [] };
  if (name === 'reflog') return secretsIn(await Promise.all(asLogs(reading).map((logArgs) => git(logArgs))));
  return secretsIn([await git([...words, ...asNames(reading)])]);
}

/** `git reflog show` is `git log -g`; depending on its position `show` is a command or a name, so both are tried. */
function asLogs(reading: FoundGitReading): string[][] {
  const { args, operandsAt } = reading;
  const readings = [reading, { ...reading, args: args.toSpliced(operandsAt, 1) }];
  const isShown = args[operandsAt] === 'show';
  return readings.slice(0, isShown ? 2 : 1).map((variant) => ['log', '-g', ...asNames(variant)]);
}

/** When both options are given, git prints names only. */
function asNames({ name, args, operandsAt, options }: FoundGitReading): string[] {
  const isHistory = name !== 'diff' && name !== 'diff-tree' && name !== 'stash show';
  // `--relative=.e` would turn the name into `nv`.
  const relativeOff = options.optionNames.has('relative') ? ['--no-relative'] : [];
  const form = ['--name-only', '-z', '--no-renames', '--no-color', ...relativeOff];
  if (isHistory) form.push('--format=', '-m');
  return [...args.slice(0, operandsAt), ...form, ...args.slice(operandsAt)].filter(
    (arg) => arg !== '--graph',
  );
}

function showsPatch(name: string, { optionNames, values }: ParsedOptions): boolean {
  const allOptions = new Set([...optionNames, ...values.map((option) => option.name)]);
  if (patches.some((option) => allOptions.has(option))) return true;
  const isShown = name === 'show' || name === 'diff';
  return isShown && !summaries.some((option) => allOptions.has(option));
}

/** The tracked files below the named places, and the files of named commits. */
async function searchedBy(
  git: RunGit,
  args: readonly string[],
  { operands, optionNames }: ParsedOptions,
): Promise<ProgramRun[]> {
  const end = args.indexOf('--');
  const places = end < 0 ? [] : args.slice(end + 1);
  const rest = operands.map(({ value }) => value).slice(optionNames.has('e') ? 0 : 1);
  const others = rest.filter((value) => !places.includes(value));
  const tracked = await git(['ls-files', '-z', '--', ...places]);
  const trees = others.map((value) => git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', value]));
  // An operand that names no commit is a path, and the tracked files below it are known.
  return [tracked, ...(await Promise.all(trees)).filter(({ exitCode }) => exitCode === 0)];
}

const groups = ['all', 'branches', 'tags', 'remotes', 'glob'];

async function showsUnnamed(git: RunGit, { name, options }: FoundGitReading): Promise<boolean> {
  if (name === 'show' && groups.some((option) => options.optionNames.has(option))) {
    const { stdout } = await git(['for-each-ref', '--format=%(objecttype) %(*objecttype)']);
    if (stdout.toString().includes('blob')) return true;
  }
  // Both ends of a range may be files.
  const ends = options.operands.flatMap(({ value }) => value.split(/\.{2,3}/));
  const names = ends.map((value) => value.replace(/^\^/, '')).filter((value) => !/^$|[:\n]/.test(value));
  if (names.length === 0) return false;
  const lines = names.map((name) => `${name}^{}\n`).join('');
  const { stdout } = await git(['cat-file', '--batch-check=%(objecttype)'], lines);
  return stdout.toString().split('\n').includes('blob');
}

// Blanks separate other output from the names; output that is taken for a name can only add a question.
function secretsIn(runs: readonly ProgramRun[]): ShownSecrets {
  const isUnseen = runs.some(
    ({ exitCode, isCut, stderr }) => isCut || (exitCode > 1 && !failsAnyway(stderr)),
  );
  const names = runs.flatMap(({ stdout }) => stdout.toString().split(/[\0\n\t]/));
  const candidates = new Set(names.flatMap((name) => [name, ...name.split(' ')]));
  const secrets = [...candidates].filter((name) => name !== '' && isProtected(name));
  return { secrets, ...(isUnseen && { why: unseen }) };
}

// The command itself would show nothing either.
function failsAnyway(stderr: string): boolean {
  return /unknown revision|bad revision|ambiguous argument|not a git repository|does not have any commits|bad object|bad default revision|Not a valid object|No stash entries|is not a valid reference/i.test(
    stderr,
  );
}
