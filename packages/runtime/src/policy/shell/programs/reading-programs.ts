// Reading programs, each with the options that keep it reading. A program in no table needs approval.
import type { ReadingProgram } from '../options.ts';
import { readingFolders } from './reading-folders.ts';

// Programs that show information about the machine or the line, or nothing at all.
const text: ReadingProgram = { operands: 'text', isHarmless: true };

const nothing: ReadingProgram = { operands: 'none' };

const readingSystem: readonly [string, ReadingProgram][] = [
  ['basename', { ...text, isHarmless: true, flags: 'az', values: 's' }],
  ['dirname', { ...text, flags: 'z' }],
  [
    'date',
    {
      operands: 'text',
      flags: 'uRn',
      values: 'd',
      long: 'utc universal rfc-email iso-8601',
      longValues: 'date rfc-3339',
      longPaths: 'reference',
      paths: 'r',
    },
  ],
  ['pwd', { operands: 'none', flags: 'LP', long: 'logical physical' }],
  ['whoami', nothing],
  ['logname', nothing],
  ['arch', nothing],
  ['nproc', { operands: 'none', long: 'all' }],
  ['uptime', { operands: 'none', flags: 'ps', long: 'pretty since' }],
  [
    'uname',
    { operands: 'none', flags: 'asnrvmpio', long: 'all kernel-name kernel-release machine operating-system' },
  ],
  ['hostname', { operands: 'none', flags: 'fsIiA' }],
  ['free', { operands: 'none', flags: 'bkmghtw', long: 'human total wide' }],
  [
    'ps',
    {
      operands: 'text',
      flags: 'AaefFlHjTuxw',
      values: 'opCt',
      longValues: 'sort pid',
      long: 'forest no-headers',
    },
  ],
  ['printenv', { operands: 'text', flags: '0' }],
  ['which', { operands: 'text', flags: 'a' }],
  ['type', { operands: 'text', flags: 'aptPf' }],
  ['seq', { operands: 'text', flags: 'w', values: 'fs' }],
  ['echo', text],
  ['sleep', { operands: 'text' }],
  ['expr', { ...text }],
  ['true', text],
  ['false', text],
  [':', text],
];

// Programs that read the files they are given and their piped input.
const sums: ReadingProgram = { operands: 'paths', flags: 'btz', long: 'binary text tag zero' };

const ends: ReadingProgram = {
  operands: 'paths',
  flags: 'qvz',
  values: 'nc',
  long: 'quiet silent verbose zero-terminated',
  longValues: 'lines bytes',
  hasNumbers: true,
};

const readingText: readonly [string, ReadingProgram][] = [
  [
    'cat',
    {
      operands: 'paths',
      flags: 'AbeEnstTuv',
      long: 'number number-nonblank show-all show-ends show-tabs show-nonprinting squeeze-blank',
    },
  ],
  ['tac', { operands: 'paths', flags: 'br', values: 's', long: 'before regex', longValues: 'separator' }],
  ['rev', { operands: 'paths' }],
  [
    'nl',
    {
      operands: 'paths',
      flags: 'p',
      values: 'bdfhilnsvw',
      longValues: 'body-numbering number-format number-width number-separator',
    },
  ],
  ['head', ends],
  ['tail', ends],
  [
    'wc',
    {
      operands: 'paths',
      flags: 'clmwL',
      long: 'bytes chars lines words max-line-length',
      longValues: 'total',
    },
  ],
  ['cmp', { operands: 'paths', max: 2, flags: 'bls', values: 'n', long: 'print-bytes verbose quiet silent' }],
  [
    'comm',
    { operands: 'paths', max: 2, flags: '123z', long: 'check-order nocheck-order total zero-terminated' },
  ],
  ['join', { operands: 'paths', max: 2, flags: 'iz', values: 'aeojtv12', long: 'ignore-case header' }],
  [
    'sort',
    {
      operands: 'paths',
      flags: 'bdfgiMhnRrVcCmsuz',
      values: 'kt',
      long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting
month-sort human-numeric-sort numeric-sort reverse version-sort check merge stable unique zero-terminated`.replaceAll(
        '\n',
        ' ',
      ),
      longValues: 'key field-separator sort',
      starts: 'compress-program',
    },
  ],
  [
    'uniq',
    {
      operands: 'paths',
      max: 1,
      flags: 'cdDiuz',
      values: 'fsw',
      long: 'count repeated unique ignore-case zero-terminated',
      longValues: 'skip-fields skip-chars check-chars',
    },
  ],
  [
    'cut',
    {
      operands: 'paths',
      flags: 'snz',
      values: 'bcdf',
      long: 'complement only-delimited zero-terminated',
      longValues: 'bytes characters delimiter fields output-delimiter',
    },
  ],
  [
    'paste',
    { operands: 'paths', flags: 'sz', values: 'd', long: 'serial zero-terminated', longValues: 'delimiters' },
  ],
  [
    'column',
    {
      operands: 'paths',
      flags: 'tenxJ',
      values: 'sco',
      long: 'table json',
      longValues: 'separator output-separator columns table-columns',
    },
  ],
  ['fold', { operands: 'paths', flags: 'bs', values: 'w', long: 'bytes spaces', longValues: 'width' }],
  ['fmt', { operands: 'paths', flags: 'cstu', values: 'wpg', longValues: 'width prefix goal' }],
  ['expand', { operands: 'paths', flags: 'i', values: 't', long: 'initial', longValues: 'tabs' }],
  ['unexpand', { operands: 'paths', flags: 'a', values: 't', long: 'all first-only', longValues: 'tabs' }],
  ['tr', { operands: 'text', flags: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' }],
  ['od', { operands: 'paths', flags: 'abcdfiloshxv', values: 'AjNt' }],
  ['hexdump', { operands: 'paths', flags: 'bcCdovx', values: 'ens' }],
  ['xxd', { operands: 'paths', max: 1, flags: 'abEeipu', values: 'cgslo' }],
  [
    'strings',
    {
      operands: 'paths',
      flags: 'aof',
      values: 'net',
      long: 'all print-file-name',
      longValues: 'bytes radix encoding',
    },
  ],
  [
    'base64',
    {
      operands: 'paths',
      max: 1,
      flags: 'diD',
      values: 'w',
      long: 'decode ignore-garbage',
      longValues: 'wrap',
    },
  ],
  ...['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'b2sum', 'cksum'].map(
    (name): [string, ReadingProgram] => [name, sums],
  ),
  [
    'jq',
    {
      operands: 'pattern',
      flags: 'rcnsejSMCaR',
      long: 'raw-output compact-output null-input slurp exit-status join-output sort-keys monochrome-output color-output ascii-output raw-input tab',
      longValues: 'indent',
    },
  ],
];

// All programs that only read, by name.
export const readingPrograms: ReadonlyMap<string, ReadingProgram> = new Map([
  ...readingFolders,
  ...readingText,
  ...readingSystem,
]);
