// What a reading git command would show, asked of git itself before the line is judged: the same command, for names only. Files that may
// hold secrets are noted as read, so that the rules speak about them; URLs with a password make it a question.
import { join } from 'node:path';
import { findProgram } from '../../git/find-program.ts';
import { hasCredentials } from '../../git/mask-credentials.ts';
import { type ProgramRun, runProgram } from '../../git/run-program.ts';
import { childEnvironment } from '../../process/child-environment.ts';
import { isProtected } from '../../search/protected-files.ts';
import type { GitReading } from './git-reading.ts';
import type { GivenOptions } from './options.ts';
import { safeGitEnvironment } from './safe-git-environment.ts';
import type { Scene } from './scene.ts';

type Found = { secrets: string[]; why?: string };

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
const credentials = 'It would show a password or token that stands in a URL.';
const unseen = 'Whether it would show secrets could not be seen.';

export async function noteShownByGit(scene: Scene): Promise<void> {
  for (const reading of scene.gits) {
    const { secrets, why } = await lookAt(reading, scene.workspace.root.real).catch(
      (): Found => ({ secrets: [], why: unseen }),
    );
    for (const path of secrets.slice(0, maxShown)) scene.touches.push({ asked: path, path, access: 'read' });
    const part = scene.parts[reading.part];
    if (why !== undefined && part?.verdict === 'allow')
      scene.parts[reading.part] = { ...part, verdict: 'ask', mustAsk: true, risk: 'high', reason: why };
  }
}

type Ask = (args: readonly string[], input?: string) => Promise<ProgramRun>;

async function lookAt(reading: GitReading, root: string): Promise<Found> {
  const { name, args, given, cwd } = reading;
  const signal = AbortSignal.timeout(timeoutMs);
  const env = { ...childEnvironment(root, 'plan'), ...safeGitEnvironment() };
  const git: Ask = (asked, input) =>
    runProgram({
      program: findProgram(root),
      args: ['--no-pager', ...asked],
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
  if (name === 'grep') return secretsIn(await searchedBy(git, args, given));
  if (/^(show|cat-file)$/.test(name) && (await showsUnnamed(git, given)))
    return { secrets: [], why: 'It shows a file by its hash, and which one that is only git knows.' };
  if (name === 'cat-file' || name === 'blame') return { secrets: [] };
  if (name === 'status') return secretsIn([await git(['diff', 'HEAD', '--name-only', '-z', '--no-renames'])]);
  if (!showsPatch(name, given)) return { secrets: [] };
  return secretsIn([await git([...words, ...asNames(reading)])]);
}

/** With options for both, git prints names alone. */
function asNames({ name, args, operandsAt }: GitReading): string[] {
  const isHistory = name !== 'diff' && name !== 'diff-tree' && name !== 'stash show';
  const form = ['--name-only', '-z', '--no-renames', '--no-color', ...(isHistory ? ['--format=', '-m'] : [])];
  return [...args.slice(0, operandsAt), ...form, ...args.slice(operandsAt)].filter(
    (arg) => arg !== '--graph',
  );
}

function showsPatch(name: string, { given, values }: GivenOptions): boolean {
  const all = new Set([...given, ...values.map((one) => one.name)]);
  if (patches.some((option) => all.has(option))) return true;
  const isShown = name === 'show' || name === 'diff';
  return isShown && !summaries.some((option) => all.has(option));
}

/** What is tracked below the places that are named, and what named commits hold. */
async function searchedBy(
  git: Ask,
  args: readonly string[],
  { operands, given }: GivenOptions,
): Promise<ProgramRun[]> {
  const end = args.indexOf('--');
  const places = end < 0 ? [] : args.slice(end + 1);
  const rest = operands.map(({ value }) => value).slice(given.has('e') ? 0 : 1);
  const others = rest.filter((value) => !places.includes(value));
  const tracked = await git(['ls-files', '-z', '--', ...places]);
  const trees = others.map((value) => git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', value]));
  // One that names no commit is a place, and what is tracked there is known.
  return [tracked, ...(await Promise.all(trees)).filter(({ exitCode }) => exitCode === 0)];
}

async function showsUnnamed(git: Ask, { operands }: GivenOptions): Promise<boolean> {
  const names = operands.map(({ value }) => value).filter((value) => !/[:\n]/.test(value));
  if (names.length === 0) return false;
  const lines = names.map((name) => `${name}^{}\n`).join('');
  const { stdout } = await git(['cat-file', '--batch-check=%(objecttype)'], lines);
  return stdout.toString().split('\n').includes('blob');
}

// Whatever else is printed between the names is separated by blanks; taken for a name, it can only make one question more.
function secretsIn(runs: readonly ProgramRun[]): Found {
  const isUnseen = runs.some(
    ({ exitCode, isCut, stderr }) => isCut || (exitCode > 1 && !failsAnyway(stderr)),
  );
  const names = runs.flatMap(({ stdout }) => stdout.toString().split(/[\0\n\t]/));
  const all = new Set(names.flatMap((name) => [name, ...name.split(' ')]));
  const secrets = [...all].filter((name) => name !== '' && isProtected(name));
  return { secrets, ...(isUnseen && { why: unseen }) };
}

// The command itself would show nothing either.
function failsAnyway(stderr: string): boolean {
  return /unknown revision|bad revision|ambiguous argument|not a git repository|does not have any commits|bad object|bad default revision|Not a valid object|No stash entries|is not a valid reference/i.test(
    stderr,
  );
}
