// The files that one program with its arguments would execute: the program itself, and those that programs of its family are known to run.
import { posix } from 'node:path';
import { codeName } from './code-files.ts';
import { findOnPath } from './disk.ts';
import { loadsCode } from './follow-text.ts';
import { runsGit } from './programs/git-programs.ts';
import { runsMake } from './programs/makefiles.ts';
import { runsBin, runsPackages } from './programs/packages.ts';
import { followFile, runsInterpreter, runsPython, runsShell, sources } from './programs/scripts.ts';
import { isSteered, printUsual } from './programs/steering-files.ts';
import { runsTasks } from './programs/task-files.ts';
import {
  deeperStep,
  type Family,
  type FollowStep,
  foldersUpward,
  joinPath,
  operandAt,
  type Word,
} from './step.ts';

const maxDepth = 12;
const maxShim = 4000;

// Shell builtins that run nothing else.
const builtins = new Set(
  ': [ [[ true false echo printf test cd pushd popd pwd export unset read set shift return exit break continue wait local readonly declare typeset umask type hash jobs times ulimit getopts'.split(
    ' ',
  ),
);

const words = (text: string): string[] => text.split(' ');

const families: ReadonlyMap<string, Family> = new Map<string, Family>([
  ...words('. source').map((name): [string, Family] => [name, sources]),
  ...words('sh bash dash zsh ksh mksh ash rbash').map((name): [string, Family] => [name, runsShell]),
  ...words('npm pnpm yarn bun').map((name): [string, Family] => [name, runsPackages]),
  ...words('npx pnpx bunx').map((name): [string, Family] => [name, runsBin]),
  ...words('make gmake').map((name): [string, Family] => [name, runsMake]),
  ...words('just task').map((name): [string, Family] => [name, runsTasks]),
  ...words('poetry uv pipenv pdm hatch rye bundle direnv').map((name): [string, Family] => [name, runsNamed]),
  ...words('run-s run-p npm-run-all npm-run-all2').map((name): [string, Family] => [name, runsSeveral]),
  ['concurrently', runsTexts],
  ...words(
    'env cross-env cross-env-shell dotenv time timeout nice nohup exec command builtin sudo doas setsid stdbuf ionice xvfb-run c8 nyc',
  ).map((name): [string, Family] => [name, startsWhatFollows]),
  ['eval', (_args, { recorder }) => recorder.unsure('It runs text that is put together when it runs.')],
  ['git', runsGit],
  ['find', runsFound],
  ['xargs', runsWithInput],
  ...words('trap alias').map((name): [string, Family] => [name, keepsText]),
]);

const python = /^(?:python|pypy)[\d.]*$/;
const interpreters =
  /^(?:node|nodejs|perl|ruby|php|lua|luajit|Rscript|julia|tsx|ts-node|tclsh|groovy|elixir|escript)[\d.]*$/;

export function followProgram(words: readonly Word[], step: FollowStep): void {
  const { recorder, cwd } = step;
  const [program, ...args] = words;
  if (!recorder.mayFollow()) return;
  recorder.mention(cwd ?? '', args);
  if (program === undefined) recorder.unsure('It is unknown before the run which program it starts.');
  else if (step.depth > maxDepth) recorder.giveUp('Scripts start scripts too deep to be followed.');
  else if (builtins.has(program)) return;
  else if (cwd === undefined) {
    if (!program.includes('/')) followName(program, step);
    const report = runsCode(program) ? recorder.unsure : recorder.giveUp;
    report('It is unknown before the run in which folder it runs.');
  } else followKnown(program, args, { ...step, cwd });
}

/** Whether the code that the program runs is in the folder it is started in. */
function runsCode(program: string): boolean {
  const name = program.split('/').at(-1) ?? '';
  return program.includes('/') || families.has(name) || python.test(name) || interpreters.test(name);
}

function followKnown(program: string, args: readonly Word[], step: FollowStep & { cwd: string }): void {
  const name = program.split('/').at(-1) ?? '';
  const family =
    families.get(name) ??
    (python.test(name) ? runsPython : interpreters.test(name) ? runsInterpreter : undefined);
  if (program.includes('/')) followPath(program, { ...step, scriptArgs: args });
  else if (name !== '.' && name !== 'source') followName(program, step);
  family?.(args, step, name);
  const isSubcommand = /^(?:go|deno|cargo|nx|turbo)$/.test(name) && args[0] === 'run';
  if ((isSteered(args, step, name) && !isSubcommand) || family !== undefined) return;
  printUsual(step, name);
  if (!movesFiles.has(name)) printCode(args, step);
}

// These copy, move or remove their arguments but never run them.
const movesFiles = new Set(words('cp mv rm ln touch chmod mkdir rmdir tee cat'));
/** `xargs ./x.sh`, `awk -f x.awk`: a program of no known family may run an argument that is code. */
function printCode(args: readonly Word[], { recorder, cwd }: FollowStep & { cwd: string }): void {
  for (const word of args) {
    const value = word?.replace(/^(?:--[\w-]+=|-[a-zA-Z](?=\.\/)|@)/, '') ?? '-';
    if (/^[-/]|(?:^|\/)\.\.(?:\/|$)/.test(value)) continue;
    const path = recorder.resolve(cwd, value);
    if (path === undefined || path === '') continue;
    const isCode =
      word?.startsWith('@') || codeName.test(path) || /^(?:#!|\x7fELF)/.test(headOf(path, recorder));
    if (isCode) recorder.file(path);
  }
}

function headOf(path: string, recorder: FollowStep['recorder']): string {
  return recorder.peek(path)?.slice(0, 4) ?? '';
}

function followPath(program: string, step: FollowStep & { cwd: string }): void {
  const { recorder, cwd } = step;
  if (/^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(program)) return;
  const path = recorder.resolve(cwd, program);
  if (path !== undefined) followFile(path, deeperStep(step));
}

function followName(name: string, step: FollowStep): void {
  const { recorder, bins } = step;
  const bin = bins.find((folder) => recorder.names(folder).has(name));
  if (bin !== undefined) {
    recorder.file(joinPath(bin, name));
    // Some installers put a script there that starts the program beside it.
    const shim = recorder.peek(joinPath(bin, name))?.slice(0, maxShim) ?? '';
    for (const [, target = ''] of shim.matchAll(/\$basedir\/([\w@./+-]+)/g))
      recorder.file(posix.join(bin, target));
    return;
  }
  const program = findOnPath(name, recorder.workspace.root.real);
  recorder.program(name, program);
  if (program !== undefined && /\/shims\/|\/(?:asdf|mise)$/.test(program.real)) printVersions(step);
  if (program?.inside === undefined) return;
  recorder.run(`${name} is a program of this workspace`, program.inside);
  recorder.file(program.inside);
}

// Version managers choose the program by these files, and some take a program from the workspace.
const versionFiles =
  /^(?:\.(?:python|ruby|node|java|go|terraform)-version|\.tool-versions|\.?mise(?:\.\w+)?\.toml)$/;

function printVersions({ recorder, cwd }: FollowStep): void {
  for (const folder of cwd === undefined ? [] : foldersUpward(cwd))
    for (const name of recorder.names(folder))
      if (versionFiles.test(name)) recorder.file(joinPath(folder, name));
}

const wrapperOptions = {
  alone: /^(?:-[ivpqac]|-[ioe][0L]|--(?:foreground|preserve-status))$/,
  valued: /^-[nk]$/,
};
const sudoOptions = { alone: /^-[nEHkSb]+$/, valued: /^-[ugp]$/ };

/** `env A=1 x`, `timeout 5 x`: runs the first word that is no option, assignment or number, with the words after it. */
function startsWhatFollows(args: readonly Word[], step: FollowStep, name: string): void {
  const first = operandAt(args, /^(?:sudo|doas)$/.test(name) ? sudoOptions : wrapperOptions);
  if (first === undefined) step.recorder.unsure('What it starts with these options is not known.');
  if (first === undefined || first < 0) return;
  const words = args.slice(first);
  const at = words.findIndex((word) => word === undefined || !/^\w+=|^[\d.]+[smhd]?$/.test(word));
  const set = words.slice(0, at < 0 ? words.length : at);
  if (set.some((word) => loadsCode(word ?? '')))
    step.recorder.giveUp('It sets a variable that programs load code by.');
  if (at >= 0) step.follow(words.slice(at), deeperStep(step));
}

/** `find . -exec sh {} ;`: the found paths are words that are known only at run time. */
function runsFound(args: readonly Word[], step: FollowStep): void {
  for (const [at, word] of args.entries()) {
    if (word === undefined || !/^-(?:exec|execdir|ok|okdir)$/.test(word)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word) => word === ';' || word === '+');
    const words = rest.slice(0, end < 0 ? rest.length : end);
    step.follow(
      words.map((word) => (word?.includes('{}') ? undefined : word)),
      deeperStep(step),
    );
  }
}

/** `xargs sh`: the input is more words. */
function runsWithInput(args: readonly Word[], step: FollowStep & { cwd: string }): void {
  const first = operandAt(args, { alone: /^-(?:[0rtpx]+|[nPLI].+)$/, valued: /^-[nPLIdsaE]$/ });
  if (first === undefined) step.recorder.unsure('What it starts with these options is not known.');
  else if (first >= 0) step.follow([...args.slice(first), undefined], deeperStep(step));
  printCode(args, step);
}

/** `trap 'sh x.sh' EXIT`, `alias x=./x.sh`: a text that is run later. */
function keepsText(args: readonly Word[], step: FollowStep, name: string): void {
  const texts = name === 'trap' ? args.slice(0, 1) : args;
  for (const text of texts) {
    if (text === undefined) step.recorder.unsure('It stores a text to run that is unknown before the run.');
    else if (!/^-/.test(text)) step.followText(text.replace(/^[\w.-]+=/, ''), deeperStep(step));
  }
}

/** `poetry run x`, `bundle exec x`, `direnv exec . x`: a program with its words follows. */
function runsNamed(args: readonly Word[], step: FollowStep, name: string): void {
  const at = args.findIndex((word) => word === 'run' || word === 'exec');
  if (at < 0) return;
  const rest = args.slice(at + (name === 'direnv' ? 2 : 1));
  const first = operandAt(rest, { alone: /^(?:--|-q|--quiet|--frozen|--locked|--no-sync|--offline)$/ });
  if (first === undefined) step.recorder.unsure('What it starts with these options is not known.');
  if (first === undefined || first < 0) return;
  const words = rest.slice(first);
  // uv also accepts a script.
  const isScript = /\.pyw?$/.test(words[0] ?? '');
  step.follow(isScript ? ['python3', ...words] : words, deeperStep(step));
}

/** `run-s build:*`: scripts by name, or by a pattern in which `*` matches one piece between colons. */
function runsSeveral(args: readonly Word[], step: FollowStep): void {
  for (const word of args) {
    if (word?.startsWith('-')) continue;
    if (word === undefined || /[*{}]/.test(word)) step.recorder.giveUp('Which scripts it runs is a pattern.');
    else step.follow(['npm', 'run', ...word.split(' ')], deeperStep(step));
  }
}

/** `concurrently "npm:a" "tsc -w"`: each word is a command line. */
function runsTexts(args: readonly Word[], step: FollowStep): void {
  for (const word of args) {
    if (word === undefined) step.recorder.giveUp('It is unknown before the run what it runs.');
    else if (!word.startsWith('-'))
      step.followText(word.replace(/^(npm|pnpm|yarn|bun):(.*)$/, '$1 run $2'), deeperStep(step));
  }
}
