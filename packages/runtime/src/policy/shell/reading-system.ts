// Programs that say something about the machine, the line or nothing at all.
import type { ReadingProgram } from './reading-program.ts';

const text: ReadingProgram = { operands: 'text', isHarmless: true };

const nothing: ReadingProgram = { operands: 'none' };

export const readingSystem: readonly [string, ReadingProgram][] = [
  ['basename', { ...text, isHarmless: true, flags: 'az', values: 's' }],
  ['dirname', { ...text, flags: 'z' }],
  [
    'date',
    {
      operands: 'text',
      flags: 'uRnI',
      values: 'd',
      long: 'utc universal rfc-email',
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
