// The reading commands of git, each with the options that keep it reading.

import { checkProgram, englishText, ToolError } from '@codelab/protocol';
import { exactly } from '../argument.ts';
import { type OptionTable, type ParsedOptions, readOptions } from '../options.ts';

export type ReadingGitCommand = OptionTable & {
  /** Operands are commits and files; `none` when an operand would create or change something. */
  operands: 'commits' | 'text' | 'none';
  max?: number;
};

const formats =
  `oneline graph decorate no-decorate decorate-refs all branches tags remotes stat numstat shortstat compact-summary summary
name-only name-status patch no-patch patch-with-stat raw color no-color reverse merges no-merges first-parent abbrev-commit no-abbrev-commit
relative-date follow full-history simplify-by-decoration topo-order date-order author-date-order left-right cherry cherry-pick cherry-mark
no-walk source parents children boundary not ignore-missing fixed-strings extended-regexp perl-regexp basic-regexp all-match invert-grep
regexp-ignore-case full-diff log-size notes no-notes use-mailmap no-mailmap show-linear-break clear-decorations no-renames find-renames
find-copies find-copies-harder no-ext-diff no-textconv minimal patience histogram ignore-all-space ignore-space-change ignore-space-at-eol
ignore-blank-lines ignore-cr-at-eol function-context word-diff color-words color-moved check exit-code quiet binary full-index text relative
no-relative cached staged merge-base cc combined-all-paths no-prefix pickaxe-all pickaxe-regex ita-invisible-in-index z abbrev no-abbrev
dirstat cumulative irreversible-delete pretty no-indent-heuristic indent-heuristic root unified`.replace(
    /\s+/g,
    ' ',
  );

const valued =
  `max-count skip since after until before author committer grep date format diff-filter diff-algorithm word-diff-regex
inter-hunk-context stat-width min-parents max-parents glob exclude anchored src-prefix dst-prefix encoding`.replace(
    /\s+/g,
    ' ',
  );

// Read-only options of log, show and diff. `--output` and `--ext-diff` are not among them.
const history: ReadingGitCommand = {
  operands: 'commits',
  flags: 'pusgiEFPWwbRzatqcm0',
  values: 'nSGLUl',
  long: formats,
  longValues: valued,
  hasNumbers: true,
  starts: 'ext-diff textconv show-signature no-index',
};
const withOperands = (table: Omit<ReadingGitCommand, 'operands'> = {}): ReadingGitCommand => ({
  operands: 'commits',
  ...table,
});

export const readingGit: ReadonlyMap<string, ReadingGitCommand> = new Map<string, ReadingGitCommand>([
  ['log', history],
  ['show', history],
  ['diff', { ...history, flags: `${history.flags}MCBD` }],
  ['reflog', history],
  ['shortlog', { ...history, flags: 'nsecg', values: 'w' }],
  [
    'status',
    withOperands({
      flags: 'sbvuz',
      long: 'short branch show-stash porcelain long verbose untracked-files ignored ahead-behind no-ahead-behind column no-column renames no-renames find-renames',
    }),
  ],
  [
    'blame',
    withOperands({
      flags: 'bceflnstwpMC',
      values: 'LS',
      long: 'porcelain line-porcelain incremental root show-name show-number show-email show-stats color-lines color-by-age abbrev',
      longValues: 'since date ignore-rev',
    }),
  ],
  [
    'rev-parse',
    withOperands({
      long: 'abbrev-ref show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository verify short symbolic symbolic-full-name all branches tags remotes quiet is-shallow-repository show-object-format',
      flags: 'q',
    }),
  ],
  [
    'rev-list',
    withOperands({ flags: 'n', long: `${formats} count objects`, longValues: valued, hasNumbers: true }),
  ],
  [
    'ls-files',
    withOperands({
      flags: 'cdmosuktvzfr',
      values: 'x',
      long: 'cached deleted modified others ignored stage unmerged killed exclude-standard error-unmatch full-name deduplicate eol directory no-empty-directory abbrev',
      longValues: 'exclude',
    }),
  ],
  [
    'ls-tree',
    withOperands({
      flags: 'drtlz',
      long: 'long name-only name-status full-name full-tree object-only abbrev',
      longValues: 'format',
    }),
  ],
  ['cat-file', withOperands({ flags: 'tsepq', long: 'batch-check' })],
  [
    'describe',
    withOperands({
      // Leaves out `--dirty`, which makes git enter nested repositories and run programs from their settings.
      long: 'all tags contains always long abbrev exact-match first-parent',
      longValues: 'candidates match exclude',
    }),
  ],
  ['merge-base', withOperands({ flags: 'a', long: 'all octopus independent is-ancestor fork-point' })],
  ['name-rev', withOperands({ long: 'tags name-only always', longValues: 'refs exclude' })],
  ['show-ref', withOperands({ flags: 'dsq', long: 'head heads tags dereference hash verify quiet abbrev' })],
  [
    'for-each-ref',
    withOperands({
      longValues: 'format sort count points-at contains no-contains merged no-merged',
      long: 'ignore-case color',
    }),
  ],
  ['show-branch', withOperands({ flags: 'ar', long: 'all remotes list' })],
  ['count-objects', { operands: 'none', flags: 'vH', long: 'verbose human-readable' }],
  ['check-ignore', withOperands({ flags: 'vnq', long: 'verbose quiet non-matching no-index' })],
  ['check-attr', withOperands({ flags: 'a', long: 'all' })],
  ['cherry', withOperands({ flags: 'v', long: 'verbose abbrev' })],
  ['diff-tree', { ...history, flags: `${history.flags}rMC` }],
  [
    'grep',
    {
      operands: 'text',
      flags: 'aiIwvhHEGPFnlLcpWqz',
      values: 'eABCm',
      long: `ignore-case word-regexp line-number files-with-matches name-only files-without-match count
fixed-strings extended-regexp perl-regexp basic-regexp invert-match heading break show-function function-context cached quiet and or not all-match color no-color only-matching column full-name text null`.replace(
        /\s+/g,
        ' ',
      ),
      longValues: 'max-depth context after-context before-context max-count threads',
      hasNumbers: true,
      starts: 'O open-files-in-pager textconv ext-grep no-index',
    },
  ],
  [
    'branch',
    {
      operands: 'none',
      flags: 'arvli',
      long: 'all remotes list verbose show-current no-color color ignore-case no-column column no-abbrev merged no-merged contains no-contains',
      longValues: 'sort contains no-contains merged no-merged points-at format',
    },
  ],
  [
    'tag',
    {
      operands: 'none',
      flags: 'lni',
      long: 'list no-color color ignore-case column merged no-merged contains no-contains',
      longValues: 'sort contains no-contains merged no-merged points-at format',
    },
  ],
  ['remote', { operands: 'none', flags: 'v', long: 'verbose' }],
  ['symbolic-ref', { operands: 'commits', max: 1, flags: 'q', long: 'short quiet' }],
  ['version', { operands: 'none', long: 'build-options' }],
]);

/** Commands whose second word decides: these pairs only read. */
export const readingPairs: ReadonlyMap<string, ReadingGitCommand> = new Map<string, ReadingGitCommand>([
  ['stash list', history],
  ['stash show', history],
  ['remote get-url', { operands: 'text', long: 'all push' }],
  ['worktree list', { operands: 'none', flags: 'vz', long: 'porcelain verbose' }],
  ['notes list', withOperands()],
  ['config get', { operands: 'text', max: 1, long: 'local global system all' }],
  ['config --get', { operands: 'text', max: 1, long: 'local global system' }],
  ['bisect log', { operands: 'none' }],
]);

// A command of git that was found to read only.
export type FoundGitReading = {
  /** The index of the command among the parts of the line. */
  part: number;
  cwd: string;
  /** The command, in one word or two: `log`, `stash show`. */
  name: string;
  args: readonly string[];
  /** The index of the first operand: path options must come before it. */
  operandsAt: number;
  options: ParsedOptions;
};

// The fixed allowlist of programs started without a shell, using the git tables. The policy decides afterwards whether an allowed program
// needs approval.

/** Throws COMMAND_NOT_ALLOWED for forbidden commands, COMMAND_NOT_WHITELISTED for unlisted ones. */
export function checkArgv(program: string, args: readonly string[]): void {
  checkProgram(program, args, (name, programArgs) => {
    const fault = name === 'git' ? whyNotReading(programArgs) : undefined;
    if (fault !== undefined)
      throw new ToolError('COMMAND_NOT_WHITELISTED', `git may only read here: ${fault}.`, { program: name });
  });
}

/** Why this is not one of the reading git commands. */
function whyNotReading(args: readonly string[]): string | undefined {
  const [command = '', second = '', ...rest] = args[0] === '--no-pager' ? args.slice(1) : args;
  if (command === '--version') return undefined;
  const pair = readingPairs.get(`${command} ${second}`);
  const table = pair ?? readingGit.get(command);
  if (table === undefined) return `${JSON.stringify(command)} is not one of its reading commands`;
  const commandArgs = pair ? rest : second === '' ? [] : [second, ...rest];
  const { operands, fault } = readOptions(commandArgs.map(exactly), table);
  if (fault) return englishText(fault.reason).replace(/\.$/, '');
  const limit = table.operands === 'none' ? 0 : (table.max ?? Infinity);
  return operands.length > limit
    ? `${command} changes something when it is given ${operands[limit]?.text ?? ''}`
    : undefined;
}
