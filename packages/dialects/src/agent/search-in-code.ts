// The search of seed 004's agent runtime.
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { search } from '../rows/search.ts';

export const searchInCode = (paths: PathSpelling): WireTool =>
  search(paths, {
    name: 'search_in_code',
    match: ({ file, line, column, match, text }) => ({
      file,
      line,
      column,
      matched_text: match,
      line_content: text,
    }),
    total: 'total_matches',
  });
