// The files whose paths fit a glob.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { present } from '../write/present.ts';

export const glob: WireTool = {
  name: 'glob',
  tool: 'find_files',
  input: () => z.strictObject({ pattern: z.string() }),
  toCore: (args) => args,
  toWire: ({ files, truncated }) =>
    present({ matches: files, truncated: truncated === true ? true : undefined }),
};
