// The options that undo and redo share.
import type { Options } from '../command-line/define-command.ts';

export const takeBackOptions = {
  session: {
    type: 'string',
    value: 'ID',
    summary: 'only what this session did (default: any, the newest first)',
  },
  'dry-run': { type: 'boolean', summary: 'only show what would change' },
  force: { type: 'boolean', summary: 'also where a file was changed since' },
} as const satisfies Options;
