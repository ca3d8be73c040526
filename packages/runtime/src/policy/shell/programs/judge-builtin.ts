// Shell builtins: what they do without starting a program.
import { phrase } from '@codelab/protocol';
import type { Argument } from '../argument.ts';
import {
  allows,
  alwaysAsks,
  asks,
  asksUnlessHeld,
  type Judgement,
  readsUnclear,
  strictest,
} from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { resolvePlace } from '../places/resolve-place.ts';

type Judge = (args: readonly Argument[], name: string) => Judgement;

export function judgeBuiltin(name: string, args: readonly Argument[]): Judgement | undefined {
  return builtins.get(name)?.(args, name);
}

const steers: Judge = (args, name) =>
  args.every(({ kind, value }) => kind === 'exact' && /^\d+$/.test(value))
    ? allows(phrase('builtin.steers'))
    : alwaysAsks(phrase('builtin.notNumber', { name }));

const setsOptions: Judge = (args) => {
  const isPlain = args.every(
    ({ kind, value }) =>
      kind === 'exact' && /^([-+][euxvfnoC]+|pipefail|errexit|nounset|xtrace|noglob)$/.test(value),
  );
  return args.length > 0 && isPlain
    ? allows(phrase('builtin.setsOptions'))
    : asksUnlessHeld(phrase('builtin.changesShell'));
};

// Clearing one of these makes programs load less. Variables that keep git from starting programs, or that locate programs, are not listed.
const cleared =
  /^(?:LD_\w+|DYLD_\w+|PYTHON\w+|VIRTUAL_ENV|NODE_(?:OPTIONS|PATH)|RUBY(?:OPT|LIB)|PERL5?\w*LIB|(?:https?|all|no)_proxy)$/i;

const unsets: Judge = (args, name) =>
  namesVariables(
    args.filter(({ kind, value }) => kind !== 'exact' || !cleared.test(value)),
    name,
  );

const namesVariables: Judge = (args, name) => {
  const findings = args.map(({ kind, value }) => {
    if (name === 'read' && value === '-r') return allows();
    const [variable = ''] = value.split('=');
    const assigned = value.slice(variable.length + 1);
    const isPlain = kind === 'exact' && /^[A-Za-z_]\w*$/.test(variable);
    return isPlain ? judgeVariable(variable, assigned) : alwaysAsks(phrase('builtin.notVariable', { name }));
  });
  return strictest([allows(phrase('variable.harmless')), ...findings]);
};

// `[ -v 'a[$(x)]' ]` and `printf -v` run the text in the brackets.
const tests: Judge = (args) => {
  const riskyWord = args.find(
    ({ kind, value }) => kind === 'exact' && (/\[.*[$`]/s.test(value) || /^-[vRo]$/.test(value)),
  );
  if (riskyWord) return alwaysAsks(phrase('builtin.testRuns', { word: riskyWord.text }));
  const unknownWord = args.find(({ kind }) => kind === 'unknown');
  return unknownWord
    ? readsUnclear(phrase('builtin.testRuns', { word: unknownWord.text }))
    : allows(phrase('builtin.tests'));
};

const prints: Judge = (args) => {
  const [first] = args;
  if (first === undefined || first.kind === 'unknown' || first.value.startsWith('-') || !first.isOneWord)
    return alwaysAsks(phrase('builtin.printf'));
  const unknownWords = args.filter(({ kind }) => kind === 'unknown');
  if (unknownWords.length === 0) return allows(phrase('builtin.prints'));
  const judgement = unknownWords.some(({ text }) => /^["']?([~/]|\$HOME\b|\$\{HOME\})|\.\.\//.test(text))
    ? alwaysAsks
    : readsUnclear;
  return judgement(phrase('builtin.unclearWords'));
};

const moves: Judge = () => asks(phrase('builtin.changesFolder'));

const builtins: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ...['exit', 'return', 'break', 'continue', 'shift', 'wait'].map((name): [string, Judge] => [name, steers]),
  ['set', setsOptions],
  ['unset', unsets],
  ...['export', 'read'].map((name): [string, Judge] => [name, namesVariables]),
  ['test', tests],
  ['[', tests],
  ['printf', prints],
  ...['cd', 'chdir', 'pushd', 'popd'].map((name): [string, Judge] => [name, moves]),
]);

// `cd`: from here on the line may run in another folder.
const maxFolders = 8;

/**
 * Whether `cd` succeeds is known only at run time, so the line may continue in the old folder or in the new one; `moved` is only the new
 * one.
 */
export function moveTo(args: readonly Argument[], state: LineState): Judgement {
  const before = state.cwds;
  const moved = targets(args, state);
  state.moved = moved;
  const both = before && moved && [...new Set([...before, ...moved])];
  state.cwds = both && both.length <= maxFolders ? both : undefined;
  if (moved) return allows(phrase('builtin.onlyChangesFolder'));
  const judgement = isOutside(args, { ...state, cwds: before }) ? alwaysAsks : asksUnlessHeld;
  return judgement(phrase('builtin.unknownFolder'), 'high');
}

/** Whether the line itself shows that `cd` leaves the workspace, for a place that the sandbox does not have. */
function isOutside(args: readonly Argument[], { workspace, cwds }: LineState): boolean {
  const last = args.at(-1);
  // `cd` without a word goes to the home.
  if (last === undefined || last.text.startsWith('~') || last.value === '-') return true;
  if (last.kind !== 'exact') return false;
  return (cwds ?? ['']).some((cwd) => {
    const place = resolvePlace(workspace, cwd, last.value, 'read');
    return place.kind === 'refused' || (place.kind === 'outside' && place.where === undefined);
  });
}

function targets(args: readonly Argument[], { workspace, cwds }: LineState): string[] | undefined {
  const [first] = args[0]?.value === '--' ? args.slice(1) : args;
  if (cwds === undefined || first?.kind !== 'exact' || args.length > 2 || /^-|^$/.test(first.value))
    return undefined;
  const places = cwds.map((cwd) => resolvePlace(workspace, cwd, first.value, 'read'));
  const folders = places.flatMap((place) =>
    // Behind a link, the shell and the system resolve `..` differently.
    place.kind === 'inside' && !place.isLinked ? [place.path === '.' ? '' : place.path] : [],
  );
  return folders.length === places.length ? folders : undefined;
}

// Judges setting a variable for a command or for the rest of a line.

// Variables by which programs find code to load or a program to start.
const harmful = new Set(
  `PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS0 PS1 PS2 PS4 PROMPT_COMMAND CDPATH GLOBIGNORE HISTFILE SHELL HOME ZDOTDIR TMPDIR EDITOR VISUAL
PAGER MANPAGER LESS LESSOPEN LESSCLOSE BROWSER NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE PYTHONPATH PYTHONSTARTUP
PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB LUA_PATH LUA_CPATH LUA_INIT
JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS CC CXX LD AR AS MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES
RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS CARGO_HOME RUSTUP_TOOLCHAIN GOFLAGS GOTOOLCHAIN GOPROXY GOBIN GOPATH CGO_CFLAGS
TAR_OPTIONS RIPGREP_CONFIG_PATH GREP_OPTIONS SSH_ASKPASS SUDO_ASKPASS SSH_AUTH_SOCK RSYNC_RSH RSYNC_CONNECT_PROG DOCKER_HOST KUBECONFIG
OPENSSL_CONF OPENSSL_ENGINES GCONV_PATH LOCPATH NLSPATH MALLOC_CHECK_ TERMINFO TERMCAP COLORTERM_PROGRAM PHPRC PHP_INI_SCAN_DIR AWKPATH
AWKLIBPATH POSIXLY_CORRECT COREPACK_ENABLE YARN_PLUGINS FPATH EMACSLOADPATH VIMINIT EXINIT`.split(/\s+/),
);
const families =
  /^(LD_|DYLD_|GIT_|BASH_|npm_|NPM_|YARN_|PNPM_|PIP_|CARGO_|CODELAB_|SUDO_|AWS_|GCC_|DEBUGINFOD)|_proxy$/i;

// Variables that change only how output looks.
const harmless = new Set(
  'CI NODE_ENV DEBUG VERBOSE FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE LANG LANGUAGE TZ TERM COLUMNS LINES RUST_BACKTRACE RUST_LOG'.split(
    ' ',
  ),
);

/** `value`: as written in the line, where it is known. */
export function judgeVariable(name: string, value = ''): Judgement {
  if (/^(LD_|DYLD_|BASH_|GIT_|CODELAB_|SUDO_|AWS_)|^(IFS|ENV|SHELLOPTS|PS4|PROMPT_COMMAND)$/i.test(name))
    return alwaysAsks(phrase('variable.loads', { name }), 'critical');
  // A program started later may load modules from the workspace as Python does.
  if (name === 'PYTHONPATH' && isInside(value)) return asks(phrase('variable.pythonPath'), 'high');
  if (harmful.has(name) || families.test(name))
    return asksUnlessHeld(phrase('variable.loads', { name }), 'critical');
  // Texts, time zones and terminals are looked up in files of these names.
  if (
    /^(LANG|LANGUAGE|TZ|TERM|LC_[A-Z]+)$/.test(name) &&
    /(^|:)\/|\.\.|[$`~]/.test(value.replace(/["'\\]/g, ''))
  )
    return alwaysAsks(phrase('variable.readsElsewhere', { name }), 'high');
  // An unquoted variable with a glob is replaced by the matching names.
  if (isFarGlob(value)) return alwaysAsks(phrase('variable.outside', { name }), 'high');
  // By convention, lower-case variables belong to the line itself; programs ignore them.
  if (harmless.has(name) || /^LC_[A-Z]+$/.test(name) || /^[a-z][a-z0-9_]*$/.test(name))
    return allows(phrase('variable.harmless'));
  return { ...asks(phrase('variable.unknown', { name })), onlyReads: true };
}

/** A list of plain folders below the current one: without variables, `..` or absolute paths. */
function isInside(value: string): boolean {
  const folders = value.split(':');
  return folders.every(
    (folder) => /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(folder) && !folder.split('/').includes('..'),
  );
}

/** Whether an unquoted text is a glob for names outside the workspace. */
export function isFarGlob(text: string): boolean {
  const unquoted = text.replace(/["'\\]/g, '');
  return /[*?[]/.test(unquoted) && /(^|\s)\/|\.\.|[~$]/.test(unquoted);
}
