// The lines that match a regular expression.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { positive } from '../rows/positive.ts';
import type { WireMatch } from '../rows/search.ts';
import { spelledPlace } from '../rows/spelled-place.ts';
import { present } from '../write/present.ts';

const defaultMatches = 200;

export const grep: WireTool = {
  name: 'grep',
  tool: 'search_in_project',
  input: () =>
    z.strictObject({
      pattern: z.string(),
      path: z.optional(z.string()),
      max_matches: z.optional(z.int()),
    }),
  names: { pattern: 'query', max_matches: 'max_results' },
  toCore: ({ pattern, path, max_matches }) => ({
    query: pattern,
    path: path || '.',
    regex: true,
    case_sensitive: true,
    max_results: positive(max_matches) ?? defaultMatches,
  }),
  toWire(data, asked) {
    const place = spelledPlace(data, asked);
    const matches = (data.matches as WireMatch[]).map(({ file, line, text }) => ({
      path: place(file),
      line,
      text,
    }));
    return present({
      count: matches.length,
      matches,
      truncated: data.truncated === true ? true : undefined,
    });
  },
};
