// The arguments of a program that neither run other code, nor load settings, nor write elsewhere. A rule with any arguments covers these
// and no others: an option that is unlisted or abbreviated needs approval.
import type { OptionTable } from '../options.ts';

export type KnownArguments = OptionTable & {
  /** Options that make the program do more or less: a rule covers them only when it was made with them. */
  inRule?: string;
  /** Options that are part of the rule together with their value. */
  fixed?: string;
  /** At least one of these options must be given. */
  needs?: string;
  /** Options whose value is text, also from another command, since the program only stores or prints it. */
  texts?: string;
  /** Options whose value is one plain word, never a path: the program may load a module of that name. */
  words?: string;
  /** Options whose value is an output file or folder. */
  outputs?: string;
  /**
   * The form of an operand; without it, any text or place inside the workspace. `inRule`: each one is part of the rule; `folder`: its
   * folder is.
   */
  operands?: 'none' | 'inRule' | 'folder' | RegExp;
  /** The words allowed after `--`; without it, more operands. */
  after?: KnownArguments | 'any';
};

const runner: KnownArguments = {
  flags: 'i',
  values: 'tg',
  long: 'run silent verbose bail no-coverage coverage runInBand no-watch passWithNoTests ci exact-match fix quiet if-present forbid-only list once changed no-color color',
  longValues:
    'grep testNamePattern testPathPattern test-name-pattern bail maxWorkers retries workers timeout project shard reporter',
  words: 'reporter maxWorkers workers retries timeout bail shard project',
  inRule: 'fix',
  // `reporter` may be a module beside the tests, `project` the settings of a compiler.
  fixed: 'reporter project',
};

const pytest: KnownArguments = {
  flags: 'xqvsl',
  values: 'kmnr',
  long: 'quiet verbose exitfirst showlocals lf ff last-failed failed-first nf new-first collect-only co no-header no-summary disable-warnings strict-markers strict-config no-cov doctest-modules sw stepwise cache-clear runslow cov full-trace',
  longValues:
    'tb maxfail durations durations-min capture color timeout cov cov-report numprocesses dist import-mode deselect ignore verbosity show-capture',
  words:
    'tb maxfail durations durations-min capture color timeout cov-report numprocesses dist import-mode n r verbosity show-capture',
  // `xml:a.xml` names an output file.
  fixed: 'cov-report',
};

const mypy: KnownArguments = {
  flags: 'v',
  long: 'strict ignore-missing-imports show-error-codes no-incremental pretty no-error-summary show-column-numbers check-untyped-defs no-color-output namespace-packages explicit-package-bases disallow-untyped-defs warn-unreachable',
  longValues: 'follow-imports python-version exclude disable-error-code enable-error-code',
  words: 'follow-imports python-version',
};

const gradle: KnownArguments = {
  flags: 'qis',
  values: 'x',
  long: 'quiet info stacktrace offline no-daemon continue parallel rerun-tasks build-cache no-build-cache warn full-stacktrace',
  longValues: 'tests console exclude-task warning-mode',
  words: 'x console exclude-task warning-mode',
  operands: 'inRule',
};

/** `-j` alone, `-j4`. */
const jobs = 'j0123456789';

// Programs without subcommands.
const programs: Record<string, KnownArguments> = {
  pytest,
  'py.test': pytest,
  mypy,
  black: {
    flags: 'qv',
    values: 'l',
    long: 'check diff quiet verbose',
    longValues: 'line-length',
    inRule: 'check diff',
    words: 'l line-length',
  },
  isort: {
    flags: 'qc',
    long: 'check check-only diff quiet',
    longValues: 'profile',
    inRule: 'c check check-only diff',
    words: 'profile',
  },
  flake8: {
    flags: 'qv',
    long: 'count statistics show-source',
    longValues: 'select ignore extend-ignore max-line-length exclude max-complexity',
    words: 'select ignore extend-ignore max-line-length max-complexity',
  },
  pylint: { flags: 'E', long: 'errors-only', longValues: 'disable enable', words: 'disable enable' },
  unittest: { flags: 'vqfbc', values: 'kspt' },
  py_compile: {},
  compileall: { flags: 'qf' },
  // With `-b` an operand is a settings file, which says where tsc writes.
  tsc: {
    values: 'p',
    long: 'noEmit pretty strict skipLibCheck incremental',
    longValues: 'project pretty incremental skipLibCheck',
    inRule: 'noEmit',
    fixed: 'p project',
    operands: /\.[cm]?[jt]sx?$/,
  },
  eslint: {
    long: 'fix quiet cache no-color',
    longValues: 'ext max-warnings format',
    values: 'f',
    words: 'ext max-warnings format f',
    inRule: 'fix',
  },
  prettier: {
    flags: 'clwu',
    long: 'check list-different write ignore-unknown',
    longValues: 'log-level',
    words: 'log-level',
    inRule: 'c l w check list-different write',
  },
  jest: runner,
  mocha: runner,
  phpunit: {
    long: 'testdox stop-on-failure no-coverage colors',
    longValues: 'filter testsuite group colors',
    words: 'testsuite group colors',
  },
  rspec: {
    values: 'fe',
    long: 'fail-fast no-color color',
    longValues: 'format seed example order tag',
    words: 'f format seed order',
  },
  rubocop: {
    flags: 'aAD',
    long: 'autocorrect auto-correct',
    longValues: 'only format',
    words: 'only format',
    inRule: 'a A autocorrect auto-correct',
  },
  rake: { flags: 's', operands: 'inRule' },
  make: { flags: `skB${jobs}`, long: 'silent keep-going no-print-directory', operands: 'inRule' },
  cmake: {
    flags: `v${jobs}`,
    long: 'verbose clean-first parallel',
    longValues: 'build target config',
    words: 'target config',
    fixed: 'build target',
    needs: 'build',
    operands: 'none',
  },
  ninja: { flags: `v${jobs}`, values: 'kC', words: 'k', fixed: 'C', operands: 'inRule' },
  ctest: {
    flags: `VQN${jobs}`,
    values: 'RELC',
    long: 'output-on-failure verbose rerun-failed',
    longValues: 'test-dir parallel tests-regex timeout',
    words: 'L C parallel timeout',
    fixed: 'test-dir',
    operands: 'none',
  },
  gofmt: { flags: 'ldsw', inRule: 'l d w' },
  goimports: { flags: 'ldw', inRule: 'l d w' },
  shellcheck: {
    flags: 'ax',
    values: 'esfS',
    longValues: 'exclude severity format shell',
    words: 'e s f S exclude severity format shell',
  },
  'clang-format': {
    flags: 'in',
    long: 'dry-run Werror',
    longValues: 'style',
    words: 'style',
    inRule: 'i n dry-run',
  },
  cppcheck: {
    flags: 'q',
    values: 'j',
    long: 'quiet',
    longValues: 'enable std language',
    words: 'j enable std language',
  },
  javac: { flags: 'g', values: 'd', outputs: 'd', operands: /\.java$/ },
  mkdir: { flags: 'pv', long: 'parents verbose' },
  touch: {},
  tee: { flags: 'a', long: 'append', inRule: 'a append', operands: 'folder' },
  // Single files only: a folder may hold files that nobody has reviewed. `mv` is not listed, because it moves folders as well.
  cp: { flags: 'pvn', long: 'verbose' },
  rm: { flags: 'fv', operands: 'folder' },
  chmod: { flags: 'v', operands: 'inRule' },
  sed: {
    flags: 'nErsi',
    values: 'e',
    long: 'in-place regexp-extended quiet',
    longValues: 'expression',
    inRule: 'i in-place',
  },
  gradle,
  gradlew: gradle,
};

/** Arguments after a script's name: the common options of test runners and linters. */
export const scriptArguments = runner;

export function argumentsOf(program: string): KnownArguments | undefined {
  return Object.hasOwn(programs, program) ? programs[program] : undefined;
}
