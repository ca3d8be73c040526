// Readers of folders and of many files at once.
import type { ReadingProgram } from '../options.ts';

const grep: ReadingProgram = {
  operands: 'pattern',
  patternOptions: ['e', 'f', 'regexp', 'file'],
  descends: ['r', 'recursive'],
  flags: 'EFGPivwxcLlqsoHhnTzarUby',
  values: 'emABC',
  paths: 'f',
  long: `extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp count
files-without-match files-with-matches quiet silent no-messages only-matching with-filename no-filename line-number byte-offset
initial-tab null null-data text recursive binary color colour line-buffered`.replaceAll('\n', ' '),
  longValues:
    'regexp max-count after-context before-context context label include exclude exclude-dir binary-files',
  longPaths: 'file',
  hasNumbers: true,
};

const rg: ReadingProgram = {
  operands: 'pattern',
  patternOptions: ['e', 'f', 'regexp', 'file', 'files', 'type-list'],
  descends: true,
  listsNames: ['files', 'type-list'],
  skipsHidden: ['u', '.', 'hidden', 'unrestricted'],
  readsFolder: true,
  flags: 'FSisvwxclNnHIoPpqUb0u.',
  values: 'egtTABCmjMErd',
  paths: 'f',
  long: `fixed-strings smart-case ignore-case case-sensitive invert-match word-regexp line-regexp count count-matches files-with-matches
files-without-match no-line-number line-number with-filename no-filename only-matching pcre2 pretty quiet multiline multiline-dotall
files type-list heading no-heading column no-column json stats trim vimgrep null no-messages passthru no-config version help
byte-offset hidden no-hidden unrestricted no-ignore no-ignore-vcs no-ignore-dot no-ignore-parent no-ignore-exclude
no-ignore-global no-ignore-files crlf no-ignore-messages sort-files one-file-system max-columns-preview debug`.replaceAll(
    '\n',
    ' ',
  ),
  longValues:
    `regexp glob iglob type type-not after-context before-context context max-count threads max-columns encoding replace max-depth
maxdepth color colors sort sortr max-filesize context-separator path-separator engine`.replaceAll('\n', ' '),
  longPaths: 'file',
  starts: 'pre hostname-bin z search-zip',
};

export const readingFolders: readonly [string, ReadingProgram][] = [
  [
    'ls',
    {
      operands: 'paths',
      namesOnly: true,
      readsFolder: true,
      flags: 'AaBbCcdFfGgHhiklmNnopqQrRSsTtUuvXxZ1',
      values: 'Iw',
      long: `all almost-all author escape directory classify
human-readable inode literal numeric-uid-gid recursive reverse size full-time group-directories-first no-group color hyperlink file-type si`.replaceAll(
        '\n',
        ' ',
      ),
      longValues: 'sort time time-style format ignore hide width indicator-style block-size',
    },
  ],
  [
    'tree',
    {
      operands: 'paths',
      namesOnly: true,
      readsFolder: true,
      flags: 'adfpsugDiCnQNqhFvtrUxJX',
      values: 'LPI',
      long: 'dirsfirst filesfirst noreport gitignore prune du si inodes device matchdirs ignore-case',
      longValues: 'charset filelimit sort timefmt',
    },
  ],
  [
    'du',
    {
      operands: 'paths',
      namesOnly: true,
      readsFolder: true,
      flags: 'abchkmsSxl0',
      values: 'dtB',
      long: 'all total human-readable summarize apparent-size si one-file-system time',
      longValues: 'max-depth threshold block-size exclude',
    },
  ],
  [
    'df',
    {
      operands: 'paths',
      namesOnly: true,
      flags: 'ahHiklPTm',
      values: 'tx',
      long: 'all human-readable inodes local portability print-type total si',
      longValues: 'type exclude-type block-size',
    },
  ],
  [
    'stat',
    {
      operands: 'paths',
      namesOnly: true,
      flags: 'Lft',
      values: 'c',
      long: 'dereference file-system terse',
      longValues: 'format printf',
    },
  ],
  [
    'file',
    {
      operands: 'paths',
      flags: 'bEhiIkLNnprsv0',
      values: 'F',
      long: 'brief mime mime-type mime-encoding extension dereference no-dereference keep-going raw',
      longValues: 'separator',
    },
  ],
  [
    'readlink',
    {
      operands: 'paths',
      namesOnly: true,
      flags: 'femnqsvz',
      long: 'canonicalize canonicalize-existing canonicalize-missing no-newline',
    },
  ],
  [
    'realpath',
    {
      operands: 'paths',
      namesOnly: true,
      flags: 'emLPqsz',
      long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero',
      longPaths: 'relative-to relative-base',
    },
  ],
  ['grep', grep],
  ['egrep', grep],
  ['fgrep', grep],
  ['rg', rg],
  [
    'diff',
    {
      operands: 'paths',
      max: 2,
      descends: true,
      followsLinks: true,
      flags: 'abBcdeEinNpqrstTuwyZ',
      values: 'UCWIxL',
      long: `brief unified context side-by-side recursive ignore-case ignore-all-space
ignore-space-change ignore-blank-lines ignore-trailing-space text new-file report-identical-files minimal color suppress-common-lines expand-tabs strip-trailing-cr normal`.replaceAll(
        '\n',
        ' ',
      ),
      longValues: 'width label exclude',
    },
  ],
];
